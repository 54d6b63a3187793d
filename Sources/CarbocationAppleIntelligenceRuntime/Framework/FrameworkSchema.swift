#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import FoundationModels

    /// Tells the framework about schemas.
    @available(macOS 26.0, iOS 26.0, *)
    enum FrameworkSchema {
        /// The schema of the framework for a plan.
        ///
        /// - Throws: `LLMEngineError.unsupportedSchema`, when the framework refuses it.
        static func schema(_ plan: SchemaPlan) throws -> GenerationSchema {
            do {
                return try GenerationSchema(root: dynamic(plan), dependencies: [])
            } catch {
                throw LLMEngineError.unsupportedSchema(FrameworkFailure.description(of: error))
            }
        }

        private static func dynamic(_ plan: SchemaPlan) -> DynamicGenerationSchema {
            switch plan {
            case .string: return DynamicGenerationSchema(type: String.self)
            case .boolean: return DynamicGenerationSchema(type: Bool.self)
            case .any: return DynamicGenerationSchema(type: GeneratedContent.self)
            case .integer(let minimum, let maximum): return integer(minimum, maximum)
            case .number(let minimum, let maximum): return number(minimum, maximum)
            case .choice(let name, let choices): return DynamicGenerationSchema(name: name, anyOf: choices)
            case .array(let item, let minimum, let maximum):
                return DynamicGenerationSchema(
                    arrayOf: dynamic(item), minimumElements: minimum, maximumElements: maximum)
            case .object(let name, let description, let properties):
                return DynamicGenerationSchema(
                    name: name, description: description, properties: properties.map(property))
            }
        }

        private static func property(_ property: SchemaPlan.Property) -> DynamicGenerationSchema.Property {
            DynamicGenerationSchema.Property(
                name: property.name, description: property.description, schema: dynamic(property.schema),
                isOptional: property.isOptional)
        }

        private static func integer(_ minimum: Int?, _ maximum: Int?) -> DynamicGenerationSchema {
            var guides: [GenerationGuide<Int>] = []
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): guides = [.range(minimum...maximum)]
            case (let minimum?, nil): guides = [.minimum(minimum)]
            case (nil, let maximum?): guides = [.maximum(maximum)]
            case (nil, nil): break
            }
            return DynamicGenerationSchema(type: Int.self, guides: guides)
        }

        private static func number(_ minimum: Double?, _ maximum: Double?) -> DynamicGenerationSchema {
            var guides: [GenerationGuide<Double>] = []
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): guides = [.range(minimum...maximum)]
            case (let minimum?, nil): guides = [.minimum(minimum)]
            case (nil, let maximum?): guides = [.maximum(maximum)]
            case (nil, nil): break
            }
            return DynamicGenerationSchema(type: Double.self, guides: guides)
        }
    }
#endif

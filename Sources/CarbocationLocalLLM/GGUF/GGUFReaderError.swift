public import GGUFFormat

/// Why a GGUF file could not be read or was refused.
public typealias GGUFReaderError = GGUFFormat.GGUFReaderError

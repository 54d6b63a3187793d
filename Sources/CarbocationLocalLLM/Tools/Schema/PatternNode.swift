/// What a regular expression consists of.
indirect enum PatternNode {
    case scalar(PatternClass)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repetition(PatternNode, minimum: Int, maximum: Int?)
    case start, end
    case wordBoundary(isNegated: Bool)
}

/// Ways to cut one input into pieces, to run a stream stage over all of them.
///
/// A stage is right if its joined output is the same for every way to cut its input. For a single cut position that is
/// checked exhaustively, for many cuts by samples that are the same in every run.
extension Collection {
    /// Every way to cut the collection in two, empty halves included.
    package var splitsInTwo: [[SubSequence]] {
        (Array(indices) + [endIndex]).map { [self[..<$0], self[$0...]] }
    }

    /// The collection element by element.
    package var singleElements: [SubSequence] {
        indices.map { self[$0..<index(after: $0)] }
    }

    /// Cuts at random places, the same for the same seed; pieces may be empty.
    package func randomChunks(seed: UInt64) -> [SubSequence] {
        var random = SeededGenerator(seed: seed)
        let longest = Int.random(in: 1...8, using: &random)
        var pieces: [SubSequence] = []
        var start = startIndex
        while start != endIndex {
            let length = Int.random(in: 0...longest, using: &random)
            let end = index(start, offsetBy: length, limitedBy: endIndex) ?? endIndex
            pieces.append(self[start..<end])
            start = end
        }
        return pieces
    }

    /// The collection whole, cut in two everywhere, element by element, and in `samples` random ways.
    package func chunkings(samples: Int = 16) -> [[SubSequence]] {
        [[self[...]], singleElements] + splitsInTwo + (0..<UInt64(samples)).map(randomChunks(seed:))
    }
}

extension String {
    /// The chunkings of the text's bytes.
    package func byteChunkings(samples: Int = 16) -> [[[UInt8]]] {
        Array(utf8).chunkings(samples: samples).map { $0.map(Array.init) }
    }
}

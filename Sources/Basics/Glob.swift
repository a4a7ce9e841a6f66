/// A name with stars, each of which stands for any text.
package enum Glob {
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
        var (place, at) = (0, 0)
        var star: (place: Int, at: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == text[at] {
                place += 1
                at += 1
            } else if let last = star {
                place = last.place + 1
                at = last.at + 1
                star = (last.place, last.at + 1)
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }
}

/// A path with `*` for one segment, `**` for many, or `{name}` for one.
package enum PathGlob {
    package static func matches(_ pattern: String, _ path: String) -> Bool {
        let pattern = pattern.split(separator: "/", omittingEmptySubsequences: true)
        let path = path.split(separator: "/", omittingEmptySubsequences: true)
        // The segments of the path that the first segments of the pattern can end before.
        var reached: Set<Int> = [0]
        for part in pattern {
            var next: Set<Int> = []
            for place in reached {
                if part == "**" {
                    next.formUnion(place...path.count)
                } else if place < path.count, fits(part, path[place]) {
                    next.insert(place + 1)
                }
            }
            reached = next
        }
        return reached.contains(path.count)
    }

    private static func fits(_ part: Substring, _ segment: Substring) -> Bool {
        if part.hasPrefix("{"), part.hasSuffix("}") { return true }
        return Glob.matches(String(part), String(segment))
    }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The environment variables in their own order.
package enum Environment {
    package static var variables: [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found.append((String(parts[0]), String(parts[1]))) }
            entry += 1
        }
        return found
    }

    /// The value of a variable; nil if it is not set.
    package static subscript(name: String) -> String? { variables.first { $0.name == name }?.value }
}

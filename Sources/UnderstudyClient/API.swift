/// An emulated backend: one of the built-in ones, such as `.trendy`, or one of your own.
///
///     let shop = API("shop")
public struct API: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, which is that of its folder.
    public let rawValue: String

    /// Creates an API of that name.
    ///
    /// A call fails with the names of all APIs if the server has none of this name.
    ///
    ///     let address = world.url(API("shop"))
    public init(_ name: String) { rawValue = name }

    /// Creates an API of that name; nil for a text that can't be the name of an API.
    ///
    ///     let chosen = API(rawValue: "shop") ?? .trendy
    public init?(rawValue: String) {
        guard Self.isName(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// 1 to 32 of `a-z 0-9 -`, beginning with a letter, not ending with `-`, and no word of the control API.
    private static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (1...32).contains(bytes.count), let first = bytes.first, let last = bytes.last else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return letters.contains(first) && last != UInt8(ascii: "-")
            && bytes.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
            && !["all", "hub", "control", "docs"].contains(text)
    }

    /// Sawaed.
    public static let sawaed = API("sawaed")
    /// CarbScan.
    public static let carbscan = API("carbscan")
    /// OmniChat.
    public static let omnichat = API("omnichat")
    /// Trafikskola.
    public static let trafikskola = API("trafikskola")
    /// Trendy.
    public static let trendy = API("trendy")
}

extension API: CaseIterable {
    /// The built-in APIs, in the order of their ports.
    public static let allCases: [API] = [.sawaed, .carbscan, .omnichat, .trafikskola, .trendy]
}

extension API: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

import OwnAPIs

/// An emulated backend: one of the built-in ones, such as `.trendy`, or one of your own, `API("shop")`.
public struct API: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, which is that of its folder.
    public let rawValue: String

    /// Creates an API of that name.
    ///
    /// A call fails with the names of all APIs if the server has none of this name.
    public init(_ name: String) { rawValue = name }

    /// Creates an API of that name; nil for a text that can't be the name of an API.
    public init?(rawValue: String) {
        guard OwnName.refusal(of: rawValue) == nil else { return nil }
        self.rawValue = rawValue
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

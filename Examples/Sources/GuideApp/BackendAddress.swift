import Foundation

/// The address of the backend: production, unless the launch environment names another one.
public enum BackendAddress {
    /// The production address.
    public static let production = URL(string: "https://driving-school.example")

    /// Reads the address from the environment of the process, in debug builds alone.
    public static func current(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL? {
        #if DEBUG
        if let text = environment["UNDERSTUDY_TRAFIKSKOLA_URL"], let url = URL(string: text) { return url }
        #endif
        return production
    }
}

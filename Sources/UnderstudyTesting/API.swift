/// An emulated backend.
public enum API: String, Sendable, CaseIterable, Codable {
    case sawaed, carbscan, omnichat, trafikskola, trendy
}

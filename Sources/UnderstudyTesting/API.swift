/// The backends that Understudy stands in for.
public enum API: String, Sendable, CaseIterable, Codable {
    case sawaed, carbscan, omnichat, trafikskola, trendy
}

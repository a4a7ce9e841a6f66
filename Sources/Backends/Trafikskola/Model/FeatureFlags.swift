import Backend
import JSON

/// The three views of one state of feature flags (contract, section 5.3).
struct FeatureFlags {
    private let settings: TrafikskolaSettings
    private var features: TrafikskolaSettings.Features { settings.features }

    init(_ settings: TrafikskolaSettings) { self.settings = settings }

    /// `features` of the config endpoint (section 5.1).
    var config: JSON {
        guard settings.flags != .none else { return .object(JSONObject()) }
        let korklar = settings.contradiction == .korklar || features.korklar
        return [
            "bookings": .bool(features.bookings), "lms": .bool(features.lms), "quiz": .bool(features.quiz),
            "certificates": .bool(features.certificates), "korklar": .bool(korklar),
            "invoices": .bool(features.invoices), "profile": .bool(features.profile),
            "offlineMode": .bool(features.offlineMode),
        ]
    }

    /// `features` of app-config (section 5.2).
    var appConfig: JSON {
        let korklar = settings.contradiction == .korklar ? false : features.korklar
        switch settings.flags {
        case .none: return .object(JSONObject())
        case .incomplete:
            return [
                "enableQuiz": .bool(features.quiz), "enableLessons": .bool(features.lms),
                "enableCertificates": .bool(features.certificates), "enableKorklar": .bool(korklar),
            ]
        case .complete:
            return [
                "enableBookings": .bool(features.bookings), "enableLms": .bool(features.lms),
                "enableLessons": .bool(features.lms), "enableQuiz": .bool(features.quiz),
                "enableCertificates": .bool(features.certificates), "enableKorklar": .bool(korklar),
                "enableInvoices": .bool(features.invoices), "enableProfile": .bool(features.profile),
                "enableOfflineMode": .bool(features.offlineMode),
            ]
        }
    }

    /// The names of the enabled features in alphabetical order; nil if the list is left out.
    var enabled: [String]? {
        guard settings.flags != .none else { return nil }
        let korklar = settings.contradiction == .korklar ? false : features.korklar
        let all = [
            ("bookings", features.bookings), ("certificates", features.certificates), ("invoices", features.invoices),
            ("korklar", korklar), ("lms", features.lms), ("offlineMode", features.offlineMode),
            ("profile", features.profile), ("quiz", features.quiz),
        ]
        return all.filter(\.1).map(\.0)
    }
}

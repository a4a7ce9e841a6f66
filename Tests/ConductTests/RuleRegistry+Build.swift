import CarbScan
import Conduct
import ConductKit
import OmniChat
import Sawaed
import Trafikskola
import Trendy

extension RuleRegistry {
    /// The rules of the build, as the catalogue of APIs has them.
    static let build = RuleRegistry(
        generic: GenericRules.all,
        apis: [SawaedAPI.conduct, CarbScanAPI.conduct, OmniChatAPI.conduct, TrafikskolaAPI.conduct, TrendyAPI.conduct]
    )
}

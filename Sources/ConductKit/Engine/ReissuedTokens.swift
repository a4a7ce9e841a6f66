/// The texts of tokens that were handed out more than once: as one more token of its session, or to another client whose
/// token is equal by chance (conduct contract, section 2).
struct ReissuedTokens: Sendable {
    /// The credential that a request's text stands for.
    struct Holder {
        package var credential: Int32
        /// Tells that an earlier credential had the same text.
        var isRenewed = false
        /// Tells that several sessions may have sent it.
        var isShared = false
    }

    private struct HandOver {
        var credential: Int32
        /// The end of the answer, in microseconds.
        var from: Int64
        var isRenewed: Bool
    }

    private var handOvers: [String: [HandOver]] = [:]

    /// Notes that a text was handed out again, as a new credential.
    package mutating func note(_ token: String, _ known: Int32, _ renewed: Int32, from: Int64) {
        let first = HandOver(credential: known, from: .min, isRenewed: false)
        handOvers[token, default: [first]].append(HandOver(credential: renewed, from: from, isRenewed: true))
    }

    /// The credential that a text stands for in a request; nil for one that was handed out once at most.
    ///
    /// Requests come in the order of their begins.
    mutating func holder(of token: String, at begin: Int64, _ place: Int32, _ context: RuleContext) -> Holder? {
        guard let all = handOvers[token] else { return nil }
        // The latest of each session.
        var known: [HandOver] = []
        for handOver in all where handOver.from <= begin {
            let session = context.credentials[Int(handOver.credential)].session
            known.removeAll { context.credentials[Int($0.credential)].session == session }
            known.append(handOver)
        }
        handOvers[token] = known + all.filter { $0.from > begin }
        func session(_ item: HandOver) -> KnownSession? {
            let session = context.credentials[Int(item.credential)].session
            return session >= 0 ? context.sessions[Int(session)] : nil
        }
        let going = known.filter { item in session(item).map { !context.isOver($0, at: begin) } ?? true }
        let here = going.filter { session($0)?.place == place }
        let likely = here.isEmpty ? going : here
        guard let holder = likely.last ?? known.last else { return nil }
        return Holder(credential: holder.credential, isRenewed: holder.isRenewed, isShared: likely.count > 1)
    }
}

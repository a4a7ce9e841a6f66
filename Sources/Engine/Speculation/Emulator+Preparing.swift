package import Backend
import CivilTime
package import Conditions
package import HTTPMessage
import Worlds

/// The work on a request before its turn on the loop: everything that takes longer than other connections may wait
/// (control contract, section 17).
extension Emulator {
    /// The length up to which a body is read on the loop, because handing it over would take longer.
    private static let longestReadInPlace = 32 * 1024

    /// The work that a worker should do on a request before it is answered.
    package struct PendingPreparation {
        package let run: @Sendable (HTTPRequest) -> PreparedRequest
        /// Tells whether it takes long even for little content.
        package let isSlow: Bool
        /// Tells whether it may take so long that others must not wait for it.
        package let isEndless: Bool
    }

    /// The nanoseconds of matching beyond which other requests must not wait for it.
    private static let longMatching = 20_000_000

    /// Finds the work that a worker should do on a request before it is answered; nil if nothing takes long.
    ///
    /// `isEmulated` tells whether the endpoint may answer it. With `isTried`, slow work is done only for a request that
    /// reaches its endpoint.
    package func preparation(
        for exchange: Exchange,
        isEmulated: Bool = true,
        isTried: Bool = true,
        at hostTime: HostTime
    ) -> PendingPreparation? {
        // Most requests have no content, and most processes no faults.
        let isPlain =
            exchange.call.request.body.length == 0 && !hasSeveralWorlds && mainWorld.hasNoFaults
            && mainWorld.world.stubs.isEmpty && !apis[exchange.apiIndex].hooks.preparesCalls
        guard !isPlain else { return nil }
        let own = isEmulated ? ownPreparation(for: exchange, isTried: isTried, at: hostTime) : nil
        let manner = isEmulated ? reading(of: exchange) : nil
        let matchers = heavyMatchers(for: exchange)
        let digest = digest(for: exchange)
        guard own != nil || manner != nil || matchers != nil || digest != nil else { return nil }
        let name = apiNames[exchange.apiIndex]
        let path = exchange.context.address.path
        let isEndless = matchers.map { $0.work > Self.longMatching } ?? false
        return PendingPreparation(
            run: { [bounds = configuration.bounds, connection = exchange.call.connection] request in
                var request = request
                request.bounds = bounds
                var prepared = PreparedRequest()
                if let manner { prepared.reading = ReadBody(manner, request.body.bytes) }
                request.reading = prepared.reading
                if let matchers {
                    let subject = MatchSubject(request, on: connection, path: path, api: name)
                    prepared.forecast = MatchForecast(matchers.matchers, matchers.stubs, for: subject)
                }
                prepared.own = own?.run(request)
                prepared.digest = digest?(request.body.bytes)
                return prepared
            },
            isSlow: own?.isSlow ?? false,
            isEndless: isEndless
        )
    }

    /// Tells whether a request is the first to need the seed of its API, which takes milliseconds to read.
    package func isFirst(_ exchange: Exchange) -> Bool {
        let index = exchange.apiIndex
        return mainWorld.world.parts[index].box == nil && apis[index].unread.contains(.seed)
    }

    /// Stores the results of a worker.
    package func note(_ prepared: PreparedRequest, for exchange: Exchange) {
        exchange.call.prepared = prepared.own
        exchange.call.request.reading = prepared.reading
        exchange.call.forecast = prepared.forecast
        exchange.call.request.digest = prepared.digest
    }

    /// The length up to which content is digested on the loop.
    private static let longestDigestInPlace = 256 * 1024

    /// Returns what digests the content of a request with an idempotency key; nil where that is short, or not needed.
    private func digest(for exchange: Exchange) -> (@Sendable ([UInt8]) -> [UInt8])? {
        guard exchange.call.request.body.bytes.count >= Self.longestDigestInPlace,
            let repeats = apis[exchange.apiIndex].hooks.repeats, let hosted = world(of: exchange),
            repeatIdentity(of: exchange.call, exchange, in: hosted.world) != nil
        else { return nil }
        return repeats.digest
    }

    /// Notes that a worker has the request now.
    package func awaitWorker(_ exchange: Exchange) { exchange.state = .awaitingWorker }

    /// Returns the preparation that the endpoint declares, and whether it takes long even for little content.
    private func ownPreparation(
        for exchange: Exchange,
        isTried: Bool,
        at hostTime: HostTime
    ) -> (run: Preparation, isSlow: Bool)? {
        let api = apis[exchange.apiIndex]
        if api.hooks.preparesCalls { return callPreparation(for: exchange, isTried: isTried, at: hostTime) }
        let body = exchange.call.request.body
        let isLong = body.bytes.count > Self.longestInPlace
        guard isLong || (api.hasSlowPreparations && !body.isEmpty), let place = exchange.context.endpointIndex,
            let prepare = api.traits[place].prepare
        else { return nil }
        let isSlow = api.traits[place].preparesSlowly
        guard isSlow || isLong else { return nil }
        // A request without valid credentials must not keep the workers busy.
        if isSlow, isTried, !reachesEndpoint(exchange, at: hostTime) { return nil }
        return (prepare, isSlow)
    }

    /// Prepares a call on the loop if that takes little, or returns the work for a worker.
    private func callPreparation(
        for exchange: Exchange,
        isTried: Bool,
        at hostTime: HostTime
    ) -> (run: Preparation, isSlow: Bool)? {
        guard exchange.context.isRouted, let hosted = world(of: exchange) else { return nil }
        let index = exchange.apiIndex
        exchange.call.now = hosted.world.now(hostTime)
        exchange.call.epoch = hosted.world.parts[index].epoch
        switch apis[index].hooks.preparation(&exchange.call, exchange.context.match, &hosted.world, index) {
        case nil: return nil
        case .done(let prepared)?:
            exchange.call.prepared = prepared
            return nil
        case .work(let work)?:
            if isTried, !reachesEndpoint(exchange, at: hostTime) { return nil }
            return ({ _ in work() }, false)
        }
    }

    /// The length up to which a body is prepared on the loop, because handing it over would take longer.
    private static let longestInPlace = 4_096

    /// Tells whether a request reaches its endpoint, by a trial in a copy of its world.
    private func reachesEndpoint(_ exchange: Exchange, at hostTime: HostTime) -> Bool {
        guard let hosted = world(of: exchange) else { return false }
        let index = exchange.apiIndex
        var world = hosted.world
        let now = world.tick(to: hostTime)
        var call = exchange.call.renewed(at: now, world.parts[index].epoch)
        call.requestID = "trial"
        call.isTrial = true
        _ = apis[index].answer(&world, index, &call, exchange.context.match)
        return call.isLetIn
    }

    /// Returns the options by which a long body is going to be read; nil for others.
    private func reading(of exchange: Exchange) -> ReadBody.Manner? {
        let body = exchange.call.request.body
        guard body.bytes.count > Self.longestReadInPlace, !body.exceedsLimit, exchange.context.isRouted, body.mayBeJSON
        else { return nil }
        return apis[exchange.apiIndex].bodyReading.manner(configuration.bounds)
    }

    /// The matchers and stubs that a worker holds a request against, and the approximate nanoseconds that it takes.
    private struct HeavyMatchers {
        let matchers: [Matcher]
        let stubs: StubRegistry
        let work: Int
    }

    /// Returns the matchers and stubs of the world if a worker has to evaluate them: they are too many or too large for
    /// the loop, or the body is too long.
    private func heavyMatchers(for exchange: Exchange) -> HeavyMatchers? {
        let isLong = exchange.call.request.body.bytes.count > Self.longestReadInPlace
        let hosted: HostedWorld?
        if isLong, exchange.worldChoice != .made, hasCredentialInContent(exchange) {
            // A long body is not searched for a credential twice.
            hosted = self[world: exchange.context.address.namedWorlds.first ?? WorldName.main]
        } else {
            hosted = world(of: exchange)
        }
        guard let hosted, !hosted.hasNoFaults || !hosted.world.stubs.isEmpty else { return nil }
        let (api, method) = (apiNames[exchange.apiIndex], exchange.call.request.head.method)
        let length = exchange.lengths
        // The stubs that the request can fit are looked up only where all together could be too many for the loop. HEAD
        // looks at some of them twice.
        let most = hosted.world.stubs.mostLoad(api)
        if hosted.hasNoFaults, method != .head, !most.hasManyShapes, !(isLong && most.looksAtBody),
            most.matchers.work(path: length.path, head: length.query + length.fields, body: length.body)
                <= WorkBudget.inPlace
        {
            return nil
        }
        let stubs = hosted.world.stubs.load(api, method, exchange.context.address.path.segments)
        var load = stubs.matchers
        if !hosted.hasNoFaults {
            load = hosted.world.faults.load + hosted.world.gates.load + hosted.world.latency.load + load
        }
        let looksAtBody = isLong && (stubs.looksAtBody || hosted.world.matchers.contains { $0.looksAtBody })
        let work = load.work(path: length.path, head: length.query + length.fields, body: length.body)
        guard looksAtBody || stubs.hasManyShapes || work > WorkBudget.inPlace else { return nil }
        return HeavyMatchers(matchers: hosted.world.matchers, stubs: hosted.world.stubs, work: work)
    }
}

extension World {
    /// All matchers that a request is tried against.
    fileprivate var matchers: [Matcher] {
        faults.faults.map(\.spec.matcher) + gates.gates.map(\.matcher) + latency.matchers
    }
}

extension RequestBody {
    /// Tells whether the first character is that of an object or an array, apart from a byte order mark.
    fileprivate var mayBeJSON: Bool {
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
    }
}

extension Exchange {
    /// The bytes of the parts of the request.
    fileprivate var lengths: (path: Int, query: Int, fields: Int, body: Int) {
        let head = call.request.head
        let path = context.address.path.text.utf8.count
        return (path, head.rawQuery?.utf8.count ?? 0, head.fields.wire.count, call.request.body.bytes.count)
    }
}

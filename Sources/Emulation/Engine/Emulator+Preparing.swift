import CivilTime
package import HTTPMessage

/// What is done with a request before its turn on the loop: whatever takes longer than others may be kept waiting
/// (control contract, section 17).
extension Emulator {
    /// A shorter body is read where it is: handing it over would take longer.
    private static let longestReadInPlace = 32 * 1024

    /// The work that a worker should do on a request before it is answered.
    package struct PendingPreparation {
        package let run: @Sendable (HTTPRequest) -> PreparedRequest
        /// Whether it takes long however little content there is.
        package let isSlow: Bool
    }

    /// Finds the work that a worker should do on a request before it is answered; nil if nothing takes long.
    ///
    /// `isEmulated`: the endpoint may answer it. `isTried`: what takes long is only done for a request that comes as far as
    /// its endpoint.
    package func preparation(
        for exchange: Exchange,
        isEmulated: Bool = true,
        isTried: Bool = true,
        at hostTime: HostTime
    ) -> PendingPreparation? {
        // Most requests have no content, and most processes no faults.
        let isPlain = exchange.call.request.body.length == 0 && !hasSeveralWorlds && mainWorld.world.hasNoFaults
        guard !isPlain else { return nil }
        let own = isEmulated ? ownPreparation(for: exchange, isTried: isTried, at: hostTime) : nil
        let manner = isEmulated ? reading(of: exchange) : nil
        let matchers = heavyMatchers(for: exchange)
        guard own != nil || manner != nil || matchers != nil else { return nil }
        let name = apiNames[exchange.apiIndex]
        let path = exchange.context.address.path
        return PendingPreparation(
            run: { [bounds = configuration.bounds] request in
                var request = request
                request.bounds = bounds
                var prepared = PreparedRequest()
                if let manner { prepared.reading = ReadBody(manner, request.body.bytes) }
                request.reading = prepared.reading
                if let matchers {
                    prepared.forecast = MatchForecast(matchers, for: MatchSubject(request, path: path, api: name))
                }
                prepared.own = own?.run(request)
                return prepared
            },
            isSlow: own?.isSlow ?? false
        )
    }

    /// Takes over the work of a worker.
    package func note(_ prepared: PreparedRequest, for exchange: Exchange) {
        exchange.call.prepared = prepared.own
        exchange.call.request.reading = prepared.reading
        exchange.call.forecast = prepared.forecast
    }

    /// A worker has the request now.
    package func awaitWorker(_ exchange: Exchange) { exchange.state = .awaitingWorker }

    /// The work that an endpoint itself wants to have done before it is called, and whether that takes long however little
    /// content there is.
    private func ownPreparation(
        for exchange: Exchange,
        isTried: Bool,
        at hostTime: HostTime
    ) -> (run: Preparation, isSlow: Bool)? {
        let api = apis[exchange.apiIndex]
        let body = exchange.call.request.body
        let isLong = body.bytes.count > Self.longestInPlace
        guard isLong || (api.hasSlowPreparations && !body.isEmpty), let place = exchange.context.endpointIndex,
            let prepare = api.preparations[place]
        else { return nil }
        let isSlow = api.slowPreparations[place]
        guard isSlow || isLong else { return nil }
        // Nobody's credential keeps the workers busy.
        if isSlow, isTried, !reachesEndpoint(exchange, at: hostTime) { return nil }
        return (prepare, isSlow)
    }

    /// A shorter body is prepared where it is: handing it over would take longer.
    private static let longestInPlace = 4_096

    /// Tells that a request comes as far as its endpoint, tried in a copy of its world that is thrown away.
    private func reachesEndpoint(_ exchange: Exchange, at hostTime: HostTime) -> Bool {
        guard let hosted = world(of: exchange) else { return false }
        let index = exchange.apiIndex
        var world = hosted.world
        let now = world.tick(to: hostTime)
        var call = exchange.call.renewed(at: now, world.parts[index].epoch)
        call.requestID = "trial"
        call.isTrial = true
        _ = issued.withoutNoting { apis[index].answer(&world, index, &call, exchange.context.match) }
        return call.isLetIn
    }

    /// The manner in which a long body is going to be read; nil for others.
    private func reading(of exchange: Exchange) -> ReadBody.Manner? {
        let body = exchange.call.request.body
        guard body.bytes.count > Self.longestReadInPlace, !body.exceedsLimit, exchange.context.isRouted, body.mayBeJSON
        else { return nil }
        return apis[exchange.apiIndex].bodyReading.manner(configuration.bounds)
    }

    /// The matchers of the world, where they are too many or too large to be asked on the loop, or the body is too long.
    private func heavyMatchers(for exchange: Exchange) -> [Matcher]? {
        let isLong = exchange.call.request.body.bytes.count > Self.longestReadInPlace
        let hosted: HostedWorld?
        if isLong, exchange.worldChoice != .made, hasCredentialInContent(exchange) {
            // What lies in a long body is not looked for twice.
            hosted = self[world: exchange.context.address.namedWorlds.first ?? WorldName.main]
        } else {
            hosted = world(of: exchange)
        }
        guard let world = hosted?.world, !world.faults.isEmpty || !world.gates.isEmpty || !world.latency.isEmpty else {
            return nil
        }
        let load = world.faults.load + world.gates.load + world.latency.load
        let looksAtBody = isLong && world.matchers.contains { $0.looksAtBody }
        let path = exchange.context.address.path.text
        guard looksAtBody || load.isHeavy(path: path.utf8.count) else { return nil }
        return world.matchers
    }
}

extension World {
    /// Whatever is held against every request.
    fileprivate var matchers: [Matcher] {
        faults.faults.map(\.spec.matcher) + gates.gates.map(\.matcher) + latency.matchers
    }
}

extension RequestBody {
    /// Whether it begins as an object or an array does, a byte order mark aside.
    fileprivate var mayBeJSON: Bool {
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
    }
}

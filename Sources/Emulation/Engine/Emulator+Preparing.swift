package import HTTPMessage

/// What is done with a request before its turn on the loop: whatever takes longer than others may be kept waiting
/// (control contract, section 17).
extension Emulator {
    /// A shorter body is read where it is: handing it over would take longer.
    private static let longestReadInPlace = 32 * 1024

    /// What a worker should do with a request before it is answered.
    package struct PendingPreparation {
        package let run: Preparation
        /// Whether it takes long however little content there is.
        package let isSlow: Bool
    }

    /// What a worker should do with a request before it is answered; nil if nothing takes long.
    ///
    /// `isEmulated`: the endpoint may answer it. `isTried`: what takes long is only done for a request that comes as far as
    /// its endpoint.
    package func preparation(
        for request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        isEmulated: Bool = true,
        isTried: Bool = true,
        at hostTime: HostTime
    ) -> PendingPreparation? {
        // Most requests have no content, and most processes no faults.
        guard !request.body.isEmpty || hostedWorlds.count > 1 || !mainWorld.world.hasNoFaults else { return nil }
        let match = apis[index].match(request.head.method, address.path)
        let own =
            isEmulated
            ? preparation(for: request, address: address, match, api: index, peer: peer, isTried: isTried, at: hostTime)
            : nil
        let manner = isEmulated ? reading(of: request, match, api: index) : nil
        let matchers = heavyMatchers(for: request, address, match, api: index)
        guard own != nil || manner != nil || matchers != nil else { return nil }
        let run: Preparation = { [bounds = configuration.bounds, name = apiNames[index], path = address.path] request in
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
        }
        return PendingPreparation(run: run, isSlow: own?.isSlow ?? false)
    }

    /// What an endpoint itself wants to have done before it is called, and whether that takes long however little content
    /// there is.
    ///
    /// `isTried`: what takes long is only done for a request that comes as far as its endpoint.
    private func preparation(
        for request: HTTPRequest,
        address: Address,
        _ match: RouteMatch,
        api index: Int,
        peer: String,
        isTried: Bool,
        at hostTime: HostTime
    ) -> (run: Preparation, isSlow: Bool)? {
        let isLong = request.body.bytes.count > Self.longestInPlace
        guard isLong || (apis[index].hasSlowPreparations && !request.body.isEmpty),
            case .endpoint(let place, _) = match, let prepare = apis[index].preparations[place]
        else { return nil }
        let isSlow = apis[index].slowPreparations[place]
        guard isSlow || isLong else { return nil }
        // Nobody's credential keeps the workers busy.
        if isSlow, isTried, !reachesEndpoint(request, address: address, api: index, peer: peer, at: hostTime) {
            return nil
        }
        return (prepare, isSlow)
    }

    /// A shorter body is prepared where it is: handing it over would take longer.
    private static let longestInPlace = 4_096

    /// How a long body is going to be read; nil for others.
    private func reading(of request: HTTPRequest, _ match: RouteMatch, api index: Int) -> ReadBody.Manner? {
        guard request.body.bytes.count > Self.longestReadInPlace, !request.body.exceedsLimit, case .endpoint = match,
            request.body.mayBeJSON
        else { return nil }
        return apis[index].bodyReading.manner(configuration.bounds)
    }

    /// The matchers of the world, where they are too many or too large to be asked on the loop, or the body is too long.
    private func heavyMatchers(
        for request: HTTPRequest,
        _ address: Address,
        _ match: RouteMatch,
        api index: Int
    ) -> [Matcher]? {
        let isLong = request.body.bytes.count > Self.longestReadInPlace
        guard
            let name = try? chooseWorld(
                address,
                api: index,
                // What lies in a long body is not looked for twice.
                credential: isLong ? nil : worldHint(of: request, api: index, match: match)
            ),
            let world = self[world: name]?.world,
            !world.faults.isEmpty || !world.gates.isEmpty || !world.latency.isEmpty
        else { return nil }
        let load = world.faults.load + world.gates.load + world.latency.load
        let looksAtBody = isLong && world.matchers.contains { $0.looksAtBody }
        guard looksAtBody || load.isHeavy(path: address.path.text.utf8.count) else { return nil }
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

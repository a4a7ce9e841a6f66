package import HTTPMessage

/// What is done with a request before its turn on the loop: whatever takes longer than others may be kept waiting
/// (control contract, section 17).
extension Emulator {
    /// A shorter body is read where it is: handing it over would take longer.
    private static let longestReadInPlace = 32 * 1024

    /// What a worker should do with a request before it is answered; nil if nothing takes long.
    package func preparation(for request: Request, address: Address, api index: Int) -> Preparation? {
        let match = apis[index].match(request.head.method, address.path)
        let own = preparation(for: request, match, api: index)
        let manner = reading(of: request, match, api: index)
        let matchers = heavyMatchers(for: request, address, match, api: index)
        guard own != nil || manner != nil || matchers != nil else { return nil }
        return { [bounds = configuration.bounds, name = apiNames[index], path = address.path] request in
            var request = request
            request.bounds = bounds
            var prepared = PreparedRequest()
            if let manner { prepared.reading = ReadBody(manner, request.body.bytes) }
            request.reading = prepared.reading
            if let matchers {
                prepared.forecast = MatchForecast(matchers, for: MatchSubject(request, path: path, api: name))
            }
            prepared.own = own?(request)
            return prepared
        }
    }

    /// How a long body is going to be read; nil for others.
    private func reading(of request: Request, _ match: RouteMatch, api index: Int) -> ReadBody.Manner? {
        guard request.body.bytes.count > Self.longestReadInPlace, !request.body.exceedsLimit, case .endpoint = match,
            request.body.mayBeJSON
        else { return nil }
        return apis[index].bodyReading.manner(configuration.bounds)
    }

    /// The matchers of the world, where they are too many or too large to be asked on the loop, or the body is too long.
    private func heavyMatchers(
        for request: Request,
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
                credential: isLong ? nil : worldClue(of: request, api: index, match: match)
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

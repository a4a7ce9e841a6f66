import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Measures copying and resetting a world with that many rows in it.
func measureWorlds(rows: Int) throws {
    let bed = try Bed(rows: rows)
    guard let main = bed.emulator[world: WorldName.main] else { return }

    var forks = Stopwatch()
    var resets = Stopwatch()
    for _ in 0..<40 {
        var copies: [World] = []
        copies.reserveCapacity(50)
        forks.time(per: 50) {
            for number in 0..<50 { copies.append(main.world.forked(as: "w\(number)", bed.apis, at: bed.hostTime)) }
        }
        resets.time(per: 50) {
            for place in copies.indices { copies[place].reset(bed.apis, keepClock: false, at: bed.hostTime) }
        }
    }
    forks.report("fork \(rows)")
    resets.report("reset \(rows)")

    // A token names its world, so one made in a former world of the name fits each later one.
    let name = "bench"
    try bed.fork(as: name)
    let token = try bed.signIn(world: name)
    let send = Bed.request(.post, Bed.sendPath, token: token, world: name, body: #"{"content":"Hello","stream":false}"#)
    let list = Bed.request(.get, Bed.listPath, token: token, world: name)

    var first = Stopwatch()
    var second = Stopwatch()
    var firstList = Stopwatch()
    for _ in 0..<200 {
        try bed.fork(as: name)
        _ = try first.time { Result { try bed.success(send) } }.get()
        _ = try second.time { Result { try bed.success(send) } }.get()
        try bed.fork(as: name)
        _ = try firstList.time { Result { try bed.success(list) } }.get()
    }
    first.report("first write \(rows)")
    second.report("second write \(rows)")
    firstList.report("first list \(rows)")
}

/// Measures a reset of a world that wrote all of its rows itself, which have to be freed.
func measureResetOfOwnRows(requests: Int) throws {
    let bed = try Bed(rows: 0)
    guard let main = bed.emulator[world: WorldName.main] else { return }
    var watch = Stopwatch()
    for _ in 0..<3 {
        let token = try bed.signIn()
        let create = Bed.request(.post, Bed.listPath, token: token, body: #"{"title":"Bench"}"#)
        _ = bed.apis[0].writeSettings(&main.world, 0, ["rateLimits": "off"])
        for _ in 0..<requests { _ = try bed.success(create) }
        watch.time { bed.emulator.reset(main, keepClock: false, at: bed.hostTime) }
        // What a worker does meanwhile.
        _ = bed.emulator.takeDiscarded()
    }
    watch.report("reset own rows")
}

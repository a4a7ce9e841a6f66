// In-process figures of `Benchmarks/run`, one line each. Arguments: numbers of rows for the figures of worlds.

let counts = CommandLine.arguments.dropFirst().compactMap { Int($0) }
do {
    for count in counts { try measureWorlds(rows: count) }
    try measureResetOfOwnRows(requests: 5_000)
    try measureRequest()
    try measureCredentials()
} catch {
    fatalError("understudy-bench: \(error)")
}

import Backend
import TestSupport
import Testing

@Suite struct ShardedMapTests {
    @Test func `it behaves as a dictionary, and copies are unaffected`() {
        var random = SeededGenerator.announced()
        let seed = random.seed
        var map = ShardedMap<Int>()
        var model: [String: Int] = [:]
        var copies: [(ShardedMap<Int>, [String: Int])] = []
        for step in 0..<30_000 {
            let key = "k\(random.below(3_000))"
            switch random.below(6) {
            case 0:
                map[key] = nil
                model[key] = nil
            case 1:
                let result = map.update(key, default: -1) { value in
                    value += 1
                    return value
                }
                model[key, default: -1] += 1
                expectEqual(result, model[key], "seed \(seed), step \(step)")
            default:
                map[key] = step
                model[key] = step
            }
            expectEqual(map.count, model.count, "seed \(seed), step \(step)")
            if step % 5_000 == 0 { copies.append((map, model)) }
        }
        copies.append((map, model))
        for (map, model) in copies {
            expectEqual(map.count, model.count)
            #expect((0..<3_000).allSatisfy { map["k\($0)"] == model["k\($0)"] }, "seed \(seed)")
        }
    }

    @Test func `a value can be an array that grows in place`() {
        var map = ShardedMap<[Int]>()
        for number in 0..<10_000 { map.update("k\(number % 10)", default: []) { $0.append(number) } }
        expectEqual(map.count, 10)
        expectEqual(map["k3"]?.count, 1_000)
        expectEqual(map["k3"]?.last, 9_993)
        expectNil(map["missing"])
    }
}

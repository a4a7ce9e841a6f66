import Crypto

/// The estimate for a photo: a function of its bytes alone, in whole numbers (contract, section 8).
struct Estimate: Sendable, Equatable {
    var name: String
    var carbs: Int
    var low: Int
    var high: Int
    /// Hundredths.
    var level: Int

    static let nothing = Estimate(name: "No food detected", carbs: 0, low: 0, high: 2, level: 60)

    init(image: some Collection<UInt8>) {
        switch Self.marker(in: Array(image)) {
        case .dish(let number): self.init(Dish.all[number - 1], quarters: 4, level: 85)
        case .none?: self = .nothing
        case nil: self.init(digest: SHA256.digest(image))
        }
    }

    /// Makes the estimate for the SHA-256 of a photo without a marker.
    init(digest: [UInt8]) {
        let head = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        self.init(
            Dish.all[head % Dish.all.count],
            quarters: 3 + Int(digest[4] % 4),
            level: 60 + Int(digest[5] % 36)
        )
    }

    private init(_ dish: Dish, quarters: Int, level: Int) {
        self.init(name: dish.name, carbs: (dish.grams * quarters + 2) / 4, level: level)
    }

    private init(name: String, carbs: Int, level: Int) {
        let spread = max(2, (2 * carbs * (100 - level) + 150) / 300)
        self.init(name: name, carbs: carbs, low: max(0, carbs - spread), high: carbs + spread, level: level)
    }

    private init(name: String, carbs: Int, low: Int, high: Int, level: Int) {
        self.name = name
        self.carbs = carbs
        self.low = low
        self.high = high
        self.level = level
    }

    /// The same dish as seen in bad light: level 0.60, and the range for that level.
    var withLowConfidence: Estimate { Estimate(name: name, carbs: carbs, level: 60) }

    /// One or two sentences.
    var sentence: String {
        guard carbs > 0 else { return "\(name): \(carbs) g of carbohydrates. The likely range is \(low) to \(high) g." }
        return "\(name): about \(carbs) g of carbohydrates. The likely range is \(low) to \(high) g."
    }

    // MARK: The fixture marker

    enum Marker: Equatable {
        case dish(Int)
        case none
    }

    private static let mark = Array("carbscan-food=".utf8)
    private static let noFood = Array("none".utf8)

    /// The request in the marker `carbscan-food=`; nil if the bytes have no usable one.
    static func marker(in bytes: [UInt8]) -> Marker? {
        guard bytes.count > mark.count else { return nil }
        var place = 0
        while let found = bytes[place...].firstIndex(of: mark[0]) {
            place = found + 1
            let value = found + mark.count
            guard value < bytes.count else { return nil }
            guard bytes[found..<value].elementsEqual(mark) else { continue }
            if bytes[value...].starts(with: noFood) { return Marker.none }
            let digits = bytes[value...].prefix { $0 &- 0x30 < 10 }.prefix(3)
            let number = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
            if (1...Dish.all.count).contains(number) { return .dish(number) }
        }
        return nil
    }
}

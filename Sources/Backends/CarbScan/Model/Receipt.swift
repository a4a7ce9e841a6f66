import Backend
import CivilTime
import Crypto
import JSON

/// A product of the App Store (section 7.18).
struct Product: Sendable {
    var id: String
    var tier: Tier
    var months: Int

    static let bundle = "ai.carbscan.app"

    static let all = [
        Product(id: "ai.carbscan.app.essentials.monthly", tier: .essentials, months: 1),
        Product(id: "ai.carbscan.app.essentials.yearly", tier: .essentials, months: 12),
        Product(id: "ai.carbscan.app.pro.monthly", tier: .pro, months: 1),
        Product(id: "ai.carbscan.app.pro.yearly", tier: .pro, months: 12),
    ]

    static func named(_ id: String) -> Product? { all.first { $0.id.utf8.elementsEqual(id.utf8) } }
}

/// A reason for refusing a receipt.
enum ReceiptFault: String, Error, Sendable, CaseIterable {
    case malformed
    case bundleMismatch = "bundle_mismatch"
    case productMismatch = "product_mismatch"
    case unknownProduct = "unknown_product"
    case expired, revoked, signature
}

/// A transaction in the App Store's terms.
struct Receipt: Sendable {
    enum Form: Sendable { case signedTransaction, receiptData }

    var transactionId: String
    var originalTransactionId: String
    var bundleId: String
    var productId: String
    var purchaseDate: Instant
    var expiresDate: Instant
    var environment: String?
    var isRevoked = false

    private static let mockPrefix = "mock_receipt:"

    /// Reads one of the forms of section 7.18; verifies its signature in strict mode.
    init(_ text: String, as form: Form, for user: User, _ state: CarbScanState, now: Instant) throws(ReceiptFault) {
        let isStrict = state.settings.receiptMode == .strict
        if text.hasPrefix(Self.mockPrefix) {
            // It is unsigned.
            guard !isStrict else { throw .signature }
            try self.init(mock: String(text.dropFirst(Self.mockPrefix.count)), for: user, now: now)
            return
        }
        let payload: JSONObject?
        switch form {
        case .signedTransaction:
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { throw .malformed }
            payload = (try? JSONReader.read(bytes))?.objectValue
        case .receiptData:
            var content = Array(text.utf8)
            content.removeAll { $0 == 0x20 || (0x09...0x0D).contains($0) }
            payload = Base64.decode(content).flatMap { (try? JSONReader.read($0))?.objectValue }
        }
        guard let payload, let receipt = Receipt(payload) else { throw .malformed }
        if isStrict, form != .signedTransaction || !Self.isSigned(text, state) { throw .signature }
        self = receipt
    }

    private init?(_ payload: JSONObject) {
        func text(_ name: String) -> String? { payload[name]?.stringValue.flatMap { $0.isBlank ? nil : $0 } }
        func time(_ name: String) -> Instant? {
            guard let number = payload[name]?.doubleValue, abs(number) < 9e12 else { return nil }
            let instant = Instant(microseconds: Int64(number.rounded(.down)) * 1_000)
            return (WorldClock.earliest...WorldClock.latest).contains(instant) ? instant : nil
        }
        guard let transactionId = text("transactionId"), let original = text("originalTransactionId"),
            let bundleId = text("bundleId"), let productId = text("productId"), let purchase = time("purchaseDate"),
            let expiry = time("expiresDate")
        else { return nil }
        self.transactionId = transactionId
        originalTransactionId = original
        self.bundleId = bundleId
        self.productId = productId
        purchaseDate = purchase
        expiresDate = expiry
        environment = text("environment")
        isRevoked = payload["revocationDate"].map { !$0.isNull } ?? false
    }

    /// `<productId>` with optional `:expired`, `:revoked`, `:invalid`.
    private init(mock text: String, for user: User, now: Instant) throws(ReceiptFault) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let productId = parts.first, !productId.isBlank, parts.count <= 2 else { throw .malformed }
        let state = parts.count == 2 ? parts[1] : ""
        guard ["", "expired", "revoked", "invalid"].contains(state), parts.count == 1 || !state.isEmpty else {
            throw .malformed
        }
        // Stands for a forged receipt, which the signature gives away.
        guard state != "invalid" else { throw .signature }
        let digest = SHA256.digest(Array("\(user.id)\n\(productId)".utf8))
        let digits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000_000_000
        let text = "\(digits)"
        transactionId = "2000" + String(repeating: "0", count: 12 - text.count) + text
        originalTransactionId = transactionId
        bundleId = Product.bundle
        self.productId = productId
        let months = Product.named(productId)?.months ?? 1
        let start = now.flooredToMillisecond
        // An expired one ended a second ago.
        expiresDate = state == "expired" ? start - .seconds(1) : start.adding(months: months)
        purchaseDate = state == "expired" ? expiresDate.adding(months: -months) : start
        environment = nil
        isRevoked = state == "revoked"
    }

    /// The product that the receipt pays for now; throws the reason if it pays for none.
    func product(at now: Instant, named wanted: String?) throws(ReceiptFault) -> Product {
        guard bundleId == Product.bundle else { throw .bundleMismatch }
        if let wanted, !wanted.utf8.elementsEqual(productId.utf8) { throw .productMismatch }
        guard let product = Product.named(productId) else { throw .unknownProduct }
        guard now < expiresDate else { throw .expired }
        guard !isRevoked else { throw .revoked }
        return product
    }

    private static func isSigned(_ token: String, _ state: CarbScanState) -> Bool {
        guard let parts = try? JWT.Parts(parsing: token),
            let header = try? JSONReader.read(parts.headerBytes), header["alg"]?.stringValue == "ES256"
        else { return false }
        let named = header["kid"]?.stringValue
        return state.receiptKeys.rows.contains { row in
            guard named == nil || named == row.id, let x = Base64URL.decode(row.x), let y = Base64URL.decode(row.y),
                let key = ECPublicKey(x: x, y: y)
            else { return false }
            return JWT.verifyES256(parts, key: key)
        }
    }
}

extension Instant {
    /// The same day and time of another month, or the month's last day if it is shorter.
    func adding(months: Int) -> Instant {
        let date = civilDate
        let count = date.year * 12 + date.month - 1 + months
        let year = Int(Int64(count).flooredQuotient(12))
        let month = count - year * 12 + 1
        let day = min(date.day, CivilDate.daysInMonth(month, ofYear: year))
        guard let moved = CivilDate(year: year, month: month, day: day) else { return self }
        return min(Instant(startOf: moved) + (self - flooredToDay), WorldClock.latest)
    }
}

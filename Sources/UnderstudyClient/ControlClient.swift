import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client of the control API of one world, over HTTP, for in-process and attached servers.
struct ControlClient: Sendable {
    /// The hub with the world's prefix, without a slash at the end.
    let base: String
    let adminToken: String?
    private static let session = URLSession(configuration: .ephemeral)

    @discardableResult
    func send(
        _ method: String,
        _ path: String,
        _ body: (any Encodable)? = nil,
        timeout: Double = 70
    ) async throws(ControlError) -> Data {
        do {
            return try await send(method, path, json: body.map { try JSONEncoder().encode($0) }, timeout: timeout)
        } catch let error as ControlError {
            throw error
        } catch {
            throw .unreachable("no JSON: \(error)")
        }
    }

    /// Sends a call with an encoded body.
    @discardableResult
    func send(
        _ method: String,
        _ path: String,
        json: Data?,
        timeout: Double = 70
    ) async throws(ControlError) -> Data {
        guard let url = URL(string: "\(base)/__admin\(path)") else { throw .unreachable("no URL: \(base)\(path)") }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        if let adminToken { request.setValue("Bearer \(adminToken)", forHTTPHeaderField: "Authorization") }
        do {
            if let json {
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.httpBody = json
            }
            let (data, response) = try await Self.session.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            guard (200...299).contains(status) else {
                let problem = try? JSONValue(data: data)
                let detail = problem?["detail"]?.string ?? String(decoding: data.prefix(500), as: UTF8.self)
                throw ControlError.refused(
                    status: status,
                    title: problem?["title"]?.string ?? "",
                    detail: detail + Self.faults(problem)
                )
            }
            return data
        } catch let error as ControlError {
            throw error
        } catch {
            throw .unreachable("\(url): \(error)")
        }
    }

    func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws(ControlError) -> Value {
        try Self.decode(try await send("GET", path))
    }

    func ask<Value: Decodable>(
        _ method: String,
        _ path: String,
        _ body: (any Encodable)? = nil,
        as type: Value.Type = Value.self,
        timeout: Double = 70
    ) async throws(ControlError) -> Value {
        try Self.decode(try await send(method, path, body, timeout: timeout))
    }

    private static func decode<Value: Decodable>(_ data: Data) throws(ControlError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            throw .unreachable(
                "not the expected answer: \(String(decoding: data.prefix(500), as: UTF8.self)): \(error)"
            )
        }
    }

    private static func faults(_ problem: JSONValue?) -> String {
        (problem?["errors"]?.array ?? []).map { " \($0["path"]?.string ?? ""): \($0["reason"]?.string ?? "")." }
            .joined()
    }

    /// Escapes a path segment or a query value.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}

/// A list as the control API sends it: `{"items":[…]}`.
struct Items<Item: Decodable>: Decodable {
    var items: [Item]
}

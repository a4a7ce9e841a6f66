import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client of the control API of one world, or of the process, over HTTP.
struct ControlClient: Sendable {
    /// The hub, with the world's prefix where there is one, without a slash at the end.
    let base: String
    let adminToken: String?
    /// Calls that wait hold a connection each, and tests run beside each other: the usual six would make all others wait for
    /// them, those among them that end the waiting.
    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1_000
        // On Linux the session asks its cache before it begins. A task that is cancelled in that time may be cancelled once more
        // after its end, which ends the process.
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    /// The seconds that a call which does not wait may take.
    static let patience = 70.0

    /// Makes a call and returns the content of the answer.
    @discardableResult
    func send(
        _ operation: ControlEndpoint,
        _ segments: String...,
        query: Query = [],
        body: (any Encodable)? = nil,
        timeout: Double = patience
    ) async throws(ControlError) -> Data {
        let json: Data?
        do {
            json = try body.map { try JSONEncoder().encode($0) }
        } catch {
            throw .unreachable("no JSON: \(error)")
        }
        return try await send(operation.method, operation.path(segments) + query.text, json: json, timeout: timeout)
    }

    /// Makes a call and reads the answer.
    func ask<Value: Decodable>(
        _ operation: ControlEndpoint,
        _ segments: String...,
        query: Query = [],
        body: (any Encodable)? = nil,
        as type: Value.Type = Value.self,
        timeout: Double = patience
    ) async throws(ControlError) -> Value {
        let json: Data?
        do {
            json = try body.map { try JSONEncoder().encode($0) }
        } catch {
            throw .unreachable("no JSON: \(error)")
        }
        let path = operation.path(segments) + query.text
        return try Self.decode(try await send(operation.method, path, json: json, timeout: timeout))
    }

    /// Makes a call and reads the items of the list that it answers.
    func list<Item: Decodable>(
        _ operation: ControlEndpoint,
        _ segments: String...,
        query: Query = [],
        of type: Item.Type = Item.self
    ) async throws(ControlError) -> [Item] {
        let data = try await send(operation.method, operation.path(segments) + query.text, json: nil)
        return try Self.decode(data, as: Items<Item>.self).items
    }

    /// Sends a call with an encoded body to a path below `/__admin`.
    @discardableResult
    func send(
        _ method: String,
        _ path: String,
        json: Data?,
        timeout: Double = patience
    ) async throws(ControlError) -> Data {
        let request = try request(method, path, json: json, timeout: timeout)
        do {
            let (data, response) = try await Self.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            guard (200...299).contains(status) else { throw ControlError(status: status, content: data) }
            return data
        } catch let error as ControlError {
            throw error
        } catch {
            throw .unreachable("\(base): \(Self.reason(error))")
        }
    }

    private static func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        #if canImport(FoundationNetworking)
        return try await DataExchange.data(for: request, in: session)
        #else
        return try await session.data(for: request)
        #endif
    }

    /// The request of a call.
    func request(
        _ method: String,
        _ path: String,
        json: Data? = nil,
        timeout: Double
    ) throws(ControlError) -> URLRequest {
        guard let url = URL(string: "\(base)/__admin\(path)") else { throw .unreachable("no URL: \(base)\(path)") }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        if let adminToken { request.setValue("Bearer \(adminToken)", forHTTPHeaderField: "Authorization") }
        if let json {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = json
        }
        return request
    }

    /// The words of an error of the network, which has its address already.
    static func reason(_ error: any Error) -> String {
        (error as? URLError).map { "\($0.localizedDescription) (\($0.code.rawValue))" } ?? "\(error)"
    }

    static func decode<Value: Decodable>(
        _ data: Data,
        as type: Value.Type = Value.self
    ) throws(ControlError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            throw .unreachable(
                "not the expected answer: \(String(decoding: data.prefix(500), as: UTF8.self)): \(error)"
            )
        }
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

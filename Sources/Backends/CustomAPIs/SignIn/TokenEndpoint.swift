import Backend
import Engine
import HTTPMessage
import JSON

/// The token endpoint of OAuth 2.0, with the forms of answers and errors that RFC 6749 has (own-API contract, section
/// 15).
extension SignInHandler {
    /// An error of RFC 6749, section 5.2.
    private struct GrantFailure: Error {
        enum Code: String {
            case invalidRequest = "invalid_request"
            case invalidGrant = "invalid_grant"
            case unsupportedGrantType = "unsupported_grant_type"
        }

        var code: Code
        var description: String
        /// The refusal where it has no form of that RFC: it is not the grant that is refused.
        var failure: CustomAPIFailure?

        init(_ code: Code, _ description: String) {
            self.code = code
            self.description = description
        }

        /// Creates the error of a grant that the sign-in refuses.
        init(_ failure: CustomAPIFailure) {
            self.init(.invalidGrant, failure.generalMessage)
            if failure.stands(for: .answerTooLarge) { self.failure = failure }
        }
    }

    /// Exchanges a password or a refresh token for tokens.
    func token(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        do throws(GrantFailure) {
            let body = try Self.parameters(call)
            let issued: SignIn.Issued
            switch try Self.parameter("grant_type", in: body) {
            case "password": issued = try grantPassword(body, &state, &core, &call)
            case "refresh_token": issued = try grantRefresh(body, &state, &core, &call)
            default:
                throw GrantFailure(.unsupportedGrantType, "The grant types are password and refresh_token.")
            }
            return Self.response(
                .ok,
                [
                    "access_token": .string(issued.access), "token_type": "Bearer",
                    "expires_in": .integer(Int64(issued.expiresIn)), "refresh_token": .string(issued.refresh),
                ]
            )
        } catch {
            if let failure = error.failure { throw failure }
            return Self.response(
                .badRequest,
                ["error": .string(error.code.rawValue), "error_description": .string(error.description)]
            )
        }
    }

    private func grantPassword(
        _ body: JSONObject,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(GrantFailure) -> SignIn.Issued {
        let name = try Self.parameter("username", in: body)
        let secret = try Self.parameter("password", in: body)
        do throws(CustomAPIFailure) {
            return try start(try user(name, secret: secret, state, call), &state, &core, &call)
        } catch {
            throw GrantFailure(error)
        }
    }

    private func grantRefresh(
        _ body: JSONObject,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(GrantFailure) -> SignIn.Issued {
        let token = try Self.parameter("refresh_token", in: body)
        do throws(CustomAPIFailure) {
            return try exchange(token, &state, &core, &call).issued
        } catch {
            throw GrantFailure(error)
        }
    }

    /// Returns the parameters of a request.
    private static func parameters(_ call: Call) throws(GrantFailure) -> JSONObject {
        // A parameter must not be there twice (RFC 6749, section 3.2).
        if call.request.hasForm {
            var names: Set<String> = []
            for item in QueryItems(bytes: call.request.body.bytes[...]).items where !names.insert(item.name).inserted {
                throw GrantFailure(.invalidRequest, "A parameter is repeated.")
            }
        }
        do throws(CustomAPIFailure) {
            return try SignInBody.object(call)
        } catch {
            throw GrantFailure(.invalidRequest, error.message ?? error.generalMessage)
        }
    }

    /// Returns a parameter; an empty one counts as absent (RFC 6749, section 3.2).
    private static func parameter(_ name: String, in body: JSONObject) throws(GrantFailure) -> String {
        guard let text = body[name]?.credentialText, !text.isEmpty else {
            throw GrantFailure(.invalidRequest, "\(name) is required.")
        }
        return text
    }

    private static func response(_ status: Status, _ body: JSONObject) -> Response {
        var fields: Fields = [.contentType: "application/json", .cacheControl: "no-store"]
        fields.append("Pragma", "no-cache")
        return Response(status: status, fields: fields, body: .bytes(JSON.object(body).serialized()))
    }
}

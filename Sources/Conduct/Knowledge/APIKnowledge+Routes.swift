package import Backend
import Basics
package import ConductKit
import HTTPMessage
import JSON

extension APIKnowledge {
    /// Reads the declarations of an API's routes; `conduct` has the facts that they don't have.
    package init(name: String, routes: [RouteSummary], adding conduct: APIConduct?) {
        var operations: [OperationKnowledge] = []
        for route in routes {
            var operation = OperationKnowledge(
                route.method.rawValue,
                route.template,
                credential: Self.credential(route.facts.authentication ?? route.authentication),
                declaresBody: route.facts.declaresBody ?? route.body.isDeclared
            )
            operation.take(route.facts)
            for parameter in route.parameters where parameter.place == .query {
                let words = [parameter.name, parameter.description]
                if words.contains(where: { $0.lowercased().contains("mail") }) || Self.isForMail(parameter.schema) {
                    operation.emailParameters.insert(parameter.name)
                }
            }
            operations.append(operation)
        }
        conduct?.complete(&operations)
        self.init(
            name: name,
            operations: operations,
            baseSegments: conduct?.baseSegments ?? 0,
            declaresCredentialURLs: conduct != nil
        )
    }

    /// Tells whether a schema is one of addresses, or of lists of them.
    private static func isForMail(_ schema: JSONSchema) -> Bool {
        switch schema {
        case .string(format: "email", _, _, _, _), .string(format: "idn-email", _, _, _, _): true
        case .array(let inner, _, _), .nullable(let inner): isForMail(inner)
        case .described(let inner, let description, _):
            isForMail(inner) || description?.lowercased().contains("mail") == true
        case .oneOf(let choices): choices.contains(where: isForMail)
        default: false
        }
    }

    private static func credential(_ authentication: Authentication) -> OperationKnowledge.Credential {
        switch authentication {
        case .none: .none
        case .optional: .optional
        case .bearer: .bearer
        }
    }
}

extension OperationKnowledge {
    /// Takes over what the route of a custom API declares.
    fileprivate mutating func take(_ facts: RouteFacts) {
        switch facts.role {
        case .ordinary: role = .ordinary
        case .signIn: role = .signIn
        case .signUp: role = .signUp
        case .refresh: role = .refresh
        case .signOut: role = .signOut
        case .requestCode: role = .requestCode
        case .grant:
            role = .signIn
            isGrant = true
        }
        identifier = facts.identifier
        refreshMember = facts.refreshMember
        code = facts.codeMember.map { OneTimeCode([$0], isTyped: true) }
        takesSecret = facts.takesSecret
        creates = facts.creates
        distinct = facts.distinct
        emailParameters = facts.mailParameters
        limitMaximum = facts.limitMaximum.map { Int64($0) }
    }
}

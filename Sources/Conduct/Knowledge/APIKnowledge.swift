package import Backend
import Basics
import HTTPMessage
import JSON

/// The operations of an API with what rules need of them.
package struct APIKnowledge: Sendable {
    package var name: String
    /// The operations by method and template.
    package var operations: [String: OperationKnowledge]
    /// The number of segments of the path before the API's own.
    package var baseSegments: Int

    package init(name: String, operations: [OperationKnowledge], baseSegments: Int = 0) {
        self.name = name
        self.operations = Dictionary(operations.map { ($0.name, $0) }) { first, _ in first }
        self.baseSegments = baseSegments
    }

    /// Reads the declarations of an API's routes and adds the facts that they don't have.
    package init(name: String, routes: [RouteSummary]) {
        let additions = APIAdditions.all[name]
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
            additions?.change(&operation)
            operations.append(operation)
        }
        self.init(name: name, operations: operations, baseSegments: additions?.baseSegments ?? 0)
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

    /// The operation of a route.
    func operation(_ method: String, _ template: String?) -> OperationKnowledge? {
        template.flatMap { operations[method + " " + $0] }
    }
}

extension OperationKnowledge {
    /// Takes over what the route of an own API declares.
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

import Backend

/// The response to an analysis (section 7.11).
struct AnalysisResponse: ResponseModel {
    struct Analysis: ResponseModel {
        var estimate: Estimate

        static let shape = ResponseSchema<Self>(
            "Analysis",
            [
                .integer("carbEstimate") { $0.estimate.carbs },
                .integer("confidenceLow") { $0.estimate.low },
                .integer("confidenceHigh") { $0.estimate.high },
                .number("confidenceLevel") { Double($0.estimate.level) / 100 },
                .string("analysis") { $0.estimate.sentence },
                .string("compositeItemName") { $0.estimate.name },
            ]
        )
    }

    struct Usage: ResponseModel {
        var quotas: Quotas

        static let shape = ResponseSchema<Self>(
            "ScanUsage",
            [
                .integer("remainingScans") { $0.quotas.scansLeft },
                .time("scanResetDate") { .at($0.quotas.scanReset) },
                .choice("subscriptionTier") { $0.quotas.tier },
            ]
        )
    }

    var estimate: Estimate
    var meal: Meal
    var quotas: Quotas

    static let shape = ResponseSchema<Self>(
        "AnalysisResult",
        [
            .object("analysis") { Analysis(estimate: $0.estimate) },
            .integer("mealId") { $0.meal.number },
            .object("scanUsage") { Usage(quotas: $0.quotas) },
        ]
    )
}

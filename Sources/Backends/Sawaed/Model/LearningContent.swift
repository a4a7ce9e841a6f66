import Backend

/// The modules of every learning path (contract, section 14.7).
enum LearningContent {
    static func modules(for skill: AISkill, level: Int, language: Language) -> [LearningModule] {
        let name = skill.name.text(language)
        return language == .ar ? arabic(name, skill.id, level) : english(name, skill.id, level)
    }

    private static func url(_ skill: String, _ level: Int) -> String {
        "https://learn.sawaed.test/\(skill)/level-\(level)"
    }

    private static func english(_ name: String, _ skill: String, _ level: Int) -> [LearningModule] {
        [
            LearningModule(
                id: "m1",
                title: "\(name): foundations for level \(level)",
                type: .article,
                duration: "12 min",
                description: "The ideas that everything else in \(name) rests on.",
                objectives: ["Name the basic ideas", "Say where they are used"],
                outline: ["What it is about", "The basic words", "A first example"],
                resourceUrl: url(skill, level),
                searchKeywords: []
            ),
            LearningModule(
                id: "m2",
                title: "\(name): worked example",
                type: .video,
                duration: "15 min",
                description: "One task from beginning to end.",
                objectives: ["Follow the steps of a task", "See why each step is taken"],
                outline: ["The task", "The steps", "The result"],
                resourceUrl: nil,
                searchKeywords: ["\(name) worked example", "\(name) tutorial", "\(name) for beginners"]
            ),
            LearningModule(
                id: "m3",
                title: "\(name): check yourself",
                type: .quiz,
                duration: "10 min",
                description: "Short questions about what you have seen.",
                objectives: ["Find out what you know", "Find out what to repeat"],
                outline: ["Five questions", "The answers", "What to repeat"],
                resourceUrl: nil,
                searchKeywords: ["\(name) quiz", "\(name) practice questions", "\(name) self assessment"]
            ),
            LearningModule(
                id: "m4",
                title: "\(name): small project",
                type: .project,
                duration: "45 min",
                description: "Something of your own, small enough for an afternoon.",
                objectives: ["Plan a small project", "Show the result to somebody"],
                outline: ["Choose a topic", "Make it", "Share it"],
                resourceUrl: nil,
                searchKeywords: ["\(name) project ideas", "\(name) small project", "\(name) portfolio"]
            ),
        ]
    }

    private static func arabic(_ name: String, _ skill: String, _ level: Int) -> [LearningModule] {
        [
            LearningModule(
                id: "m1",
                title: "\(name): أسس المستوى \(level)",
                type: .article,
                duration: "12 min",
                description: "الأفكار التي يقوم عليها كل شيء في \(name).",
                objectives: ["تسمية الأفكار الأساسية", "معرفة مواضع استخدامها"],
                outline: ["عم يدور الموضوع", "المصطلحات الأساسية", "مثال أول"],
                resourceUrl: url(skill, level),
                searchKeywords: []
            ),
            LearningModule(
                id: "m2",
                title: "\(name): مثال تطبيقي",
                type: .video,
                duration: "15 min",
                description: "مهمة واحدة من البداية إلى النهاية.",
                objectives: ["متابعة خطوات المهمة", "فهم سبب كل خطوة"],
                outline: ["المهمة", "الخطوات", "النتيجة"],
                resourceUrl: nil,
                searchKeywords: ["\(name) مثال تطبيقي", "\(name) شرح", "\(name) للمبتدئين"]
            ),
            LearningModule(
                id: "m3",
                title: "\(name): اختبر نفسك",
                type: .quiz,
                duration: "10 min",
                description: "أسئلة قصيرة عما رأيته.",
                objectives: ["معرفة ما تتقنه", "معرفة ما يحتاج إلى مراجعة"],
                outline: ["خمسة أسئلة", "الإجابات", "ما تراجعه"],
                resourceUrl: nil,
                searchKeywords: ["\(name) اختبار", "\(name) أسئلة تدريبية", "\(name) تقييم ذاتي"]
            ),
            LearningModule(
                id: "m4",
                title: "\(name): مشروع صغير",
                type: .project,
                duration: "45 min",
                description: "عمل من صنعك يكفيه عصر يوم واحد.",
                objectives: ["التخطيط لمشروع صغير", "عرض النتيجة على شخص ما"],
                outline: ["اختر موضوعاً", "نفذه", "شاركه"],
                resourceUrl: nil,
                searchKeywords: ["\(name) أفكار مشاريع", "\(name) مشروع صغير", "\(name) معرض أعمال"]
            ),
        ]
    }
}

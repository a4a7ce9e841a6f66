// Made by scripts/embed-seeds from seeds/omnichat; do not edit.
// swift-format-ignore-file

extension OmniChatAPI {
    /// The name and the text of each file, in the order of the names.
    package static let builtInSeed: [(name: String, text: String)] = [
        (
            "apple-tokens.json",
            ####"""
[
  {"id": "mock_apple_token", "email": "test@icloud.com"}
]

"""####
        ),
        (
            "attachments.json",
            ####"""
[
  {"id": "att_notes_00000000001", "userId": "user_test_icloud_0001", "messageId": "msg_longer_0000000005", "fileName": "garden-notes.txt", "fileType": "text/plain", "fileSize": 99, "key": "user_test_icloud_0001/conv_longer_000000001/msg_longer_0000000005/file_notes_0000000001.txt", "createdAt": "T0-P1DT31M"},
  {"id": "att_gone_000000000001", "userId": "user_edge_account_001", "messageId": "msg_edgefile_00000001", "fileName": "holiday \"1\".png", "fileType": "image/png", "fileSize": 48211, "key": "user_edge_account_001/conv_edge_filegone_01/msg_edgefile_00000001/file_gone_00000000001.png", "createdAt": "T0-PT12H4S"}
]

"""####
        ),
        (
            "conversations.json",
            ####"""
[
  {"id": "conv_empty_0000000001", "userId": "user_test_icloud_0001", "title": "New Conversation", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-PT10M", "updatedAt": "T0-PT10M"},
  {"id": "conv_welcome_00000001", "userId": "user_test_icloud_0001", "title": "Conversation Title", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-PT2H1M", "updatedAt": "T0-PT2H"},
  {"id": "conv_longer_000000001", "userId": "user_test_icloud_0001", "title": "Planning notes", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P1DT2H", "updatedAt": "T0-P1D"},
  {"id": "conv_archived_0000001", "userId": "user_test_icloud_0001", "title": "Old draft", "model": "gpt-4o", "isArchived": true, "createdAt": "T0-P9DT1H", "updatedAt": "T0-P9D"},
  {"id": "conv_power_0000000001", "userId": "user_power_account_01", "title": "Quarterly figures 1", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-PT7H", "updatedAt": "T0-PT6H"},
  {"id": "conv_power_0000000002", "userId": "user_power_account_01", "title": "Reading list 2", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-PT13H", "updatedAt": "T0-PT12H"},
  {"id": "conv_power_0000000003", "userId": "user_power_account_01", "title": "Team offsite 3", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-PT19H", "updatedAt": "T0-PT18H"},
  {"id": "conv_power_0000000004", "userId": "user_power_account_01", "title": "Interview questions 4", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P1DT1H", "updatedAt": "T0-P1D"},
  {"id": "conv_power_0000000005", "userId": "user_power_account_01", "title": "Translation 5", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P1DT7H", "updatedAt": "T0-P1DT6H"},
  {"id": "conv_power_0000000006", "userId": "user_power_account_01", "title": "Travel plan 6", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P1DT13H", "updatedAt": "T0-P1DT12H"},
  {"id": "conv_power_0000000007", "userId": "user_power_account_01", "title": "Code review 7", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P1DT19H", "updatedAt": "T0-P1DT18H"},
  {"id": "conv_power_0000000008", "userId": "user_power_account_01", "title": "Bug triage 8", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P2DT1H", "updatedAt": "T0-P2D"},
  {"id": "conv_power_0000000009", "userId": "user_power_account_01", "title": "Design feedback 9", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P2DT7H", "updatedAt": "T0-P2DT6H"},
  {"id": "conv_power_0000000010", "userId": "user_power_account_01", "title": "Recipes 10", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P2DT13H", "updatedAt": "T0-P2DT12H"},
  {"id": "conv_power_0000000011", "userId": "user_power_account_01", "title": "Workshop 11", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P2DT19H", "updatedAt": "T0-P2DT18H"},
  {"id": "conv_power_0000000012", "userId": "user_power_account_01", "title": "Release notes 12", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P3DT1H", "updatedAt": "T0-P3D"},
  {"id": "conv_power_0000000013", "userId": "user_power_account_01", "title": "Quarterly figures 13", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P3DT7H", "updatedAt": "T0-P3DT6H"},
  {"id": "conv_power_0000000014", "userId": "user_power_account_01", "title": "Reading list 14", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P3DT13H", "updatedAt": "T0-P3DT12H"},
  {"id": "conv_power_0000000015", "userId": "user_power_account_01", "title": "Team offsite 15", "model": "gemini-2.0-flash", "isArchived": true, "createdAt": "T0-P3DT19H", "updatedAt": "T0-P3DT18H"},
  {"id": "conv_power_0000000016", "userId": "user_power_account_01", "title": "Interview questions 16", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P4DT1H", "updatedAt": "T0-P4D"},
  {"id": "conv_power_0000000017", "userId": "user_power_account_01", "title": "Translation 17", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P4DT7H", "updatedAt": "T0-P4DT6H"},
  {"id": "conv_power_0000000018", "userId": "user_power_account_01", "title": "Travel plan 18", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P4DT13H", "updatedAt": "T0-P4DT12H"},
  {"id": "conv_power_0000000019", "userId": "user_power_account_01", "title": "Code review 19", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P4DT19H", "updatedAt": "T0-P4DT18H"},
  {"id": "conv_power_0000000020", "userId": "user_power_account_01", "title": "Bug triage 20", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P5DT1H", "updatedAt": "T0-P5D"},
  {"id": "conv_power_0000000021", "userId": "user_power_account_01", "title": "Design feedback 21", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P5DT7H", "updatedAt": "T0-P5DT6H"},
  {"id": "conv_power_0000000022", "userId": "user_power_account_01", "title": "Recipes 22", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P5DT13H", "updatedAt": "T0-P5DT12H"},
  {"id": "conv_power_0000000023", "userId": "user_power_account_01", "title": "Workshop 23", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P5DT19H", "updatedAt": "T0-P5DT18H"},
  {"id": "conv_power_0000000024", "userId": "user_power_account_01", "title": "Release notes 24", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P6DT1H", "updatedAt": "T0-P6D"},
  {"id": "conv_power_0000000025", "userId": "user_power_account_01", "title": "Quarterly figures 25", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P6DT7H", "updatedAt": "T0-P6DT6H"},
  {"id": "conv_power_0000000026", "userId": "user_power_account_01", "title": "Reading list 26", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P6DT13H", "updatedAt": "T0-P6DT12H"},
  {"id": "conv_power_0000000027", "userId": "user_power_account_01", "title": "Team offsite 27", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P6DT19H", "updatedAt": "T0-P6DT18H"},
  {"id": "conv_power_0000000028", "userId": "user_power_account_01", "title": "Interview questions 28", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P7DT1H", "updatedAt": "T0-P7D"},
  {"id": "conv_power_0000000029", "userId": "user_power_account_01", "title": "Translation 29", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P7DT7H", "updatedAt": "T0-P7DT6H"},
  {"id": "conv_power_0000000030", "userId": "user_power_account_01", "title": "Travel plan 30", "model": "gpt-4o-mini", "isArchived": true, "createdAt": "T0-P7DT13H", "updatedAt": "T0-P7DT12H"},
  {"id": "conv_power_0000000031", "userId": "user_power_account_01", "title": "Code review 31", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P7DT19H", "updatedAt": "T0-P7DT18H"},
  {"id": "conv_power_0000000032", "userId": "user_power_account_01", "title": "Bug triage 32", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P8DT1H", "updatedAt": "T0-P8D"},
  {"id": "conv_power_0000000033", "userId": "user_power_account_01", "title": "Design feedback 33", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P8DT7H", "updatedAt": "T0-P8DT6H"},
  {"id": "conv_power_0000000034", "userId": "user_power_account_01", "title": "Recipes 34", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P8DT13H", "updatedAt": "T0-P8DT12H"},
  {"id": "conv_power_0000000035", "userId": "user_power_account_01", "title": "Workshop 35", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P8DT19H", "updatedAt": "T0-P8DT18H"},
  {"id": "conv_power_0000000036", "userId": "user_power_account_01", "title": "Release notes 36", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P9DT1H", "updatedAt": "T0-P9D"},
  {"id": "conv_power_0000000037", "userId": "user_power_account_01", "title": "Quarterly figures 37", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P9DT7H", "updatedAt": "T0-P9DT6H"},
  {"id": "conv_power_0000000038", "userId": "user_power_account_01", "title": "Reading list 38", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P9DT13H", "updatedAt": "T0-P9DT12H"},
  {"id": "conv_power_0000000039", "userId": "user_power_account_01", "title": "Team offsite 39", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P9DT19H", "updatedAt": "T0-P9DT18H"},
  {"id": "conv_power_0000000040", "userId": "user_power_account_01", "title": "Interview questions 40", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P10DT1H", "updatedAt": "T0-P10D"},
  {"id": "conv_power_0000000041", "userId": "user_power_account_01", "title": "Translation 41", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P10DT7H", "updatedAt": "T0-P10DT6H"},
  {"id": "conv_power_0000000042", "userId": "user_power_account_01", "title": "Travel plan 42", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P10DT13H", "updatedAt": "T0-P10DT12H"},
  {"id": "conv_power_0000000043", "userId": "user_power_account_01", "title": "Code review 43", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P10DT19H", "updatedAt": "T0-P10DT18H"},
  {"id": "conv_power_0000000044", "userId": "user_power_account_01", "title": "Bug triage 44", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P11DT1H", "updatedAt": "T0-P11D"},
  {"id": "conv_power_0000000045", "userId": "user_power_account_01", "title": "Design feedback 45", "model": "gemini-2.0-flash", "isArchived": true, "createdAt": "T0-P11DT7H", "updatedAt": "T0-P11DT6H"},
  {"id": "conv_power_0000000046", "userId": "user_power_account_01", "title": "Recipes 46", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P11DT13H", "updatedAt": "T0-P11DT12H"},
  {"id": "conv_power_0000000047", "userId": "user_power_account_01", "title": "Workshop 47", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P11DT19H", "updatedAt": "T0-P11DT18H"},
  {"id": "conv_power_0000000048", "userId": "user_power_account_01", "title": "Release notes 48", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P12DT1H", "updatedAt": "T0-P12D"},
  {"id": "conv_power_0000000049", "userId": "user_power_account_01", "title": "Quarterly figures 49", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P12DT7H", "updatedAt": "T0-P12DT6H"},
  {"id": "conv_power_0000000050", "userId": "user_power_account_01", "title": "Reading list 50", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P12DT13H", "updatedAt": "T0-P12DT12H"},
  {"id": "conv_power_0000000051", "userId": "user_power_account_01", "title": "Team offsite 51", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P12DT19H", "updatedAt": "T0-P12DT18H"},
  {"id": "conv_power_0000000052", "userId": "user_power_account_01", "title": "Interview questions 52", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P13DT1H", "updatedAt": "T0-P13D"},
  {"id": "conv_power_0000000053", "userId": "user_power_account_01", "title": "Translation 53", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P13DT7H", "updatedAt": "T0-P13DT6H"},
  {"id": "conv_power_0000000054", "userId": "user_power_account_01", "title": "Travel plan 54", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P13DT13H", "updatedAt": "T0-P13DT12H"},
  {"id": "conv_power_0000000055", "userId": "user_power_account_01", "title": "Code review 55", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P13DT19H", "updatedAt": "T0-P13DT18H"},
  {"id": "conv_power_0000000056", "userId": "user_power_account_01", "title": "Bug triage 56", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P14DT1H", "updatedAt": "T0-P14D"},
  {"id": "conv_power_0000000057", "userId": "user_power_account_01", "title": "Design feedback 57", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P14DT7H", "updatedAt": "T0-P14DT6H"},
  {"id": "conv_power_0000000058", "userId": "user_power_account_01", "title": "Recipes 58", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P14DT13H", "updatedAt": "T0-P14DT12H"},
  {"id": "conv_power_0000000059", "userId": "user_power_account_01", "title": "Workshop 59", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P14DT19H", "updatedAt": "T0-P14DT18H"},
  {"id": "conv_power_0000000060", "userId": "user_power_account_01", "title": "Release notes 60", "model": "gpt-4o-mini", "isArchived": true, "createdAt": "T0-P15DT1H", "updatedAt": "T0-P15D"},
  {"id": "conv_power_0000000061", "userId": "user_power_account_01", "title": "Quarterly figures 61", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P15DT7H", "updatedAt": "T0-P15DT6H"},
  {"id": "conv_power_0000000062", "userId": "user_power_account_01", "title": "Reading list 62", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P15DT13H", "updatedAt": "T0-P15DT12H"},
  {"id": "conv_power_0000000063", "userId": "user_power_account_01", "title": "Team offsite 63", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P15DT19H", "updatedAt": "T0-P15DT18H"},
  {"id": "conv_power_0000000064", "userId": "user_power_account_01", "title": "Interview questions 64", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P16DT1H", "updatedAt": "T0-P16D"},
  {"id": "conv_power_0000000065", "userId": "user_power_account_01", "title": "Translation 65", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P16DT7H", "updatedAt": "T0-P16DT6H"},
  {"id": "conv_power_0000000066", "userId": "user_power_account_01", "title": "Travel plan 66", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P16DT13H", "updatedAt": "T0-P16DT12H"},
  {"id": "conv_power_0000000067", "userId": "user_power_account_01", "title": "Code review 67", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P16DT19H", "updatedAt": "T0-P16DT18H"},
  {"id": "conv_power_0000000068", "userId": "user_power_account_01", "title": "Bug triage 68", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P17DT1H", "updatedAt": "T0-P17D"},
  {"id": "conv_power_0000000069", "userId": "user_power_account_01", "title": "Design feedback 69", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P17DT7H", "updatedAt": "T0-P17DT6H"},
  {"id": "conv_power_0000000070", "userId": "user_power_account_01", "title": "Recipes 70", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P17DT13H", "updatedAt": "T0-P17DT12H"},
  {"id": "conv_power_0000000071", "userId": "user_power_account_01", "title": "Workshop 71", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P17DT19H", "updatedAt": "T0-P17DT18H"},
  {"id": "conv_power_0000000072", "userId": "user_power_account_01", "title": "Release notes 72", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P18DT1H", "updatedAt": "T0-P18D"},
  {"id": "conv_power_0000000073", "userId": "user_power_account_01", "title": "Quarterly figures 73", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P18DT7H", "updatedAt": "T0-P18DT6H"},
  {"id": "conv_power_0000000074", "userId": "user_power_account_01", "title": "Reading list 74", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P18DT13H", "updatedAt": "T0-P18DT12H"},
  {"id": "conv_power_0000000075", "userId": "user_power_account_01", "title": "Team offsite 75", "model": "gemini-2.0-flash", "isArchived": true, "createdAt": "T0-P18DT19H", "updatedAt": "T0-P18DT18H"},
  {"id": "conv_power_0000000076", "userId": "user_power_account_01", "title": "Interview questions 76", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P19DT1H", "updatedAt": "T0-P19D"},
  {"id": "conv_power_0000000077", "userId": "user_power_account_01", "title": "Translation 77", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P19DT7H", "updatedAt": "T0-P19DT6H"},
  {"id": "conv_power_0000000078", "userId": "user_power_account_01", "title": "Travel plan 78", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P19DT13H", "updatedAt": "T0-P19DT12H"},
  {"id": "conv_power_0000000079", "userId": "user_power_account_01", "title": "Code review 79", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P19DT19H", "updatedAt": "T0-P19DT18H"},
  {"id": "conv_power_0000000080", "userId": "user_power_account_01", "title": "Bug triage 80", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P20DT1H", "updatedAt": "T0-P20D"},
  {"id": "conv_power_0000000081", "userId": "user_power_account_01", "title": "Design feedback 81", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P20DT7H", "updatedAt": "T0-P20DT6H"},
  {"id": "conv_power_0000000082", "userId": "user_power_account_01", "title": "Recipes 82", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P20DT13H", "updatedAt": "T0-P20DT12H"},
  {"id": "conv_power_0000000083", "userId": "user_power_account_01", "title": "Workshop 83", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P20DT19H", "updatedAt": "T0-P20DT18H"},
  {"id": "conv_power_0000000084", "userId": "user_power_account_01", "title": "Release notes 84", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P21DT1H", "updatedAt": "T0-P21D"},
  {"id": "conv_power_0000000085", "userId": "user_power_account_01", "title": "Quarterly figures 85", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P21DT7H", "updatedAt": "T0-P21DT6H"},
  {"id": "conv_power_0000000086", "userId": "user_power_account_01", "title": "Reading list 86", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P21DT13H", "updatedAt": "T0-P21DT12H"},
  {"id": "conv_power_0000000087", "userId": "user_power_account_01", "title": "Team offsite 87", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P21DT19H", "updatedAt": "T0-P21DT18H"},
  {"id": "conv_power_0000000088", "userId": "user_power_account_01", "title": "Interview questions 88", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P22DT1H", "updatedAt": "T0-P22D"},
  {"id": "conv_power_0000000089", "userId": "user_power_account_01", "title": "Translation 89", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P22DT7H", "updatedAt": "T0-P22DT6H"},
  {"id": "conv_power_0000000090", "userId": "user_power_account_01", "title": "Travel plan 90", "model": "gpt-4o-mini", "isArchived": true, "createdAt": "T0-P22DT13H", "updatedAt": "T0-P22DT12H"},
  {"id": "conv_power_0000000091", "userId": "user_power_account_01", "title": "Code review 91", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P22DT19H", "updatedAt": "T0-P22DT18H"},
  {"id": "conv_power_0000000092", "userId": "user_power_account_01", "title": "Bug triage 92", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P23DT1H", "updatedAt": "T0-P23D"},
  {"id": "conv_power_0000000093", "userId": "user_power_account_01", "title": "Design feedback 93", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P23DT7H", "updatedAt": "T0-P23DT6H"},
  {"id": "conv_power_0000000094", "userId": "user_power_account_01", "title": "Recipes 94", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P23DT13H", "updatedAt": "T0-P23DT12H"},
  {"id": "conv_power_0000000095", "userId": "user_power_account_01", "title": "Workshop 95", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P23DT19H", "updatedAt": "T0-P23DT18H"},
  {"id": "conv_power_0000000096", "userId": "user_power_account_01", "title": "Release notes 96", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P24DT1H", "updatedAt": "T0-P24D"},
  {"id": "conv_power_0000000097", "userId": "user_power_account_01", "title": "Quarterly figures 97", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P24DT7H", "updatedAt": "T0-P24DT6H"},
  {"id": "conv_power_0000000098", "userId": "user_power_account_01", "title": "Reading list 98", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P24DT13H", "updatedAt": "T0-P24DT12H"},
  {"id": "conv_power_0000000099", "userId": "user_power_account_01", "title": "Team offsite 99", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P24DT19H", "updatedAt": "T0-P24DT18H"},
  {"id": "conv_power_0000000100", "userId": "user_power_account_01", "title": "Interview questions 100", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P25DT1H", "updatedAt": "T0-P25D"},
  {"id": "conv_power_0000000101", "userId": "user_power_account_01", "title": "Translation 101", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P25DT7H", "updatedAt": "T0-P25DT6H"},
  {"id": "conv_power_0000000102", "userId": "user_power_account_01", "title": "Travel plan 102", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P25DT13H", "updatedAt": "T0-P25DT12H"},
  {"id": "conv_power_0000000103", "userId": "user_power_account_01", "title": "Code review 103", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P25DT19H", "updatedAt": "T0-P25DT18H"},
  {"id": "conv_power_0000000104", "userId": "user_power_account_01", "title": "Bug triage 104", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P26DT1H", "updatedAt": "T0-P26D"},
  {"id": "conv_power_0000000105", "userId": "user_power_account_01", "title": "Design feedback 105", "model": "gemini-2.0-flash", "isArchived": true, "createdAt": "T0-P26DT7H", "updatedAt": "T0-P26DT6H"},
  {"id": "conv_power_0000000106", "userId": "user_power_account_01", "title": "Recipes 106", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P26DT13H", "updatedAt": "T0-P26DT12H"},
  {"id": "conv_power_0000000107", "userId": "user_power_account_01", "title": "Workshop 107", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P26DT19H", "updatedAt": "T0-P26DT18H"},
  {"id": "conv_power_0000000108", "userId": "user_power_account_01", "title": "Release notes 108", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P27DT1H", "updatedAt": "T0-P27D"},
  {"id": "conv_power_0000000109", "userId": "user_power_account_01", "title": "Quarterly figures 109", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P27DT7H", "updatedAt": "T0-P27DT6H"},
  {"id": "conv_power_0000000110", "userId": "user_power_account_01", "title": "Reading list 110", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P27DT13H", "updatedAt": "T0-P27DT12H"},
  {"id": "conv_power_0000000111", "userId": "user_power_account_01", "title": "Team offsite 111", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P27DT19H", "updatedAt": "T0-P27DT18H"},
  {"id": "conv_power_0000000112", "userId": "user_power_account_01", "title": "Interview questions 112", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P28DT1H", "updatedAt": "T0-P28D"},
  {"id": "conv_power_0000000113", "userId": "user_power_account_01", "title": "Translation 113", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P28DT7H", "updatedAt": "T0-P28DT6H"},
  {"id": "conv_power_0000000114", "userId": "user_power_account_01", "title": "Travel plan 114", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P28DT13H", "updatedAt": "T0-P28DT12H"},
  {"id": "conv_power_0000000115", "userId": "user_power_account_01", "title": "Code review 115", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-P28DT19H", "updatedAt": "T0-P28DT18H"},
  {"id": "conv_power_0000000116", "userId": "user_power_account_01", "title": "Bug triage 116", "model": "claude-3-5-sonnet-20241022", "isArchived": false, "createdAt": "T0-P29DT1H", "updatedAt": "T0-P29D"},
  {"id": "conv_power_0000000117", "userId": "user_power_account_01", "title": "Design feedback 117", "model": "gemini-2.0-flash", "isArchived": false, "createdAt": "T0-P29DT7H", "updatedAt": "T0-P29DT6H"},
  {"id": "conv_power_0000000118", "userId": "user_power_account_01", "title": "Recipes 118", "model": "deepseek-chat", "isArchived": false, "createdAt": "T0-P29DT13H", "updatedAt": "T0-P29DT12H"},
  {"id": "conv_power_0000000119", "userId": "user_power_account_01", "title": "Workshop 119", "model": "gpt-4.1", "isArchived": false, "createdAt": "T0-P29DT19H", "updatedAt": "T0-P29DT18H"},
  {"id": "conv_power_0000000120", "userId": "user_power_account_01", "title": "Release notes 120", "model": "gpt-4o-mini", "isArchived": true, "createdAt": "T0-P30DT1H", "updatedAt": "T0-P30D"},
  {"id": "conv_other_account_01", "userId": "user_other_account_01", "title": "Private notes", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-P3DT1H", "updatedAt": "T0-P3D"},
  {"id": "conv_edge_unicode_001", "userId": "user_edge_account_001", "title": "👩‍👩‍👧‍👦 الترحيب é Z̵̢   مرحبا", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-PT5H", "updatedAt": "T0-PT4H"},
  {"id": "conv_edge_rtl_0000001", "userId": "user_edge_account_001", "title": "محادثة باللغة العربية", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-PT7H", "updatedAt": "T0-PT6H"},
  {"id": "conv_edge_long_000001", "userId": "user_edge_account_001", "title": "A very long message", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-PT9H", "updatedAt": "T0-PT8H"},
  {"id": "conv_edge_incomplete1", "userId": "user_edge_account_001", "title": "A reply that never came", "model": "gpt-4o", "isArchived": false, "createdAt": "T0-PT11H", "updatedAt": "T0-PT10H"},
  {"id": "conv_edge_filegone_01", "userId": "user_edge_account_001", "title": "An attachment whose file is gone", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-PT13H", "updatedAt": "T0-PT12H"},
  {"id": "conv_edge_nomodel_001", "userId": "user_edge_account_001", "title": "A model that does not exist", "model": "no-such-model", "isArchived": false, "createdAt": "T0-PT15H", "updatedAt": "T0-PT14H"},
  {"id": "conv_edge_blank_00001", "userId": "user_edge_account_001", "title": "   ", "model": "gpt-4o-mini", "isArchived": false, "createdAt": "T0-PT17H", "updatedAt": "T0-PT16H"}
]

"""####
        ),
        (
            "files.json",
            ####"""
[
  {"key": "user_test_icloud_0001/conv_longer_000000001/msg_longer_0000000005/file_notes_0000000001.txt", "fileName": "garden-notes.txt", "fileType": "text/plain", "text": "Garden notes\n\nTomatoes: too much shade.\nHerbs: fine near the wall.\nBeans: plant two weeks earlier.\n"}
]

"""####
        ),
        (
            "messages.json",
            ####"""
[
  {"id": "msg_welcome_000000001", "conversationId": "conv_welcome_00000001", "role": "user", "content": "Hello, what can you do?", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT2H30S"},
  {"id": "msg_welcome_000000002", "conversationId": "conv_welcome_00000001", "role": "assistant", "content": "Hello! I can answer questions, help you write, and look at the files you send me.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 81, "createdAt": "T0-PT2H"},
  {"id": "msg_longer_0000000001", "conversationId": "conv_longer_000000001", "role": "user", "content": "Help me plan a small garden.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT1H30M"},
  {"id": "msg_longer_0000000002", "conversationId": "conv_longer_000000001", "role": "assistant", "content": "You said: \"Help me plan a small garden.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-P1DT1H29M56S"},
  {"id": "msg_longer_0000000003", "conversationId": "conv_longer_000000001", "role": "user", "content": "Which plants need the least water?", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT1H1S"},
  {"id": "msg_longer_0000000004", "conversationId": "conv_longer_000000001", "role": "assistant", "content": "You said: \"Which plants need the least water?\". This is reply 2 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 215, "createdAt": "T0-P1DT59M57S"},
  {"id": "msg_longer_0000000005", "conversationId": "conv_longer_000000001", "role": "user", "content": "Here are my notes from last year.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT30M2S"},
  {"id": "msg_longer_0000000006", "conversationId": "conv_longer_000000001", "role": "assistant", "content": "You said: \"Here are my notes from last year.\". This is reply 3 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 210, "createdAt": "T0-P1DT29M58S"},
  {"id": "msg_longer_0000000007", "conversationId": "conv_longer_000000001", "role": "user", "content": "Make me a list for the first weekend.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT3S"},
  {"id": "msg_longer_0000000008", "conversationId": "conv_longer_000000001", "role": "assistant", "content": "You said: \"Make me a list for the first weekend.\". This is reply 4 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 215, "createdAt": "T0-P1D"},
  {"id": "msg_archived_00000001", "conversationId": "conv_archived_0000001", "role": "user", "content": "Draft a letter to my landlord.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P9DT30M"},
  {"id": "msg_archived_00000002", "conversationId": "conv_archived_0000001", "role": "assistant", "content": "You said: \"Draft a letter to my landlord.\". This is reply 1 in this conversation, written by gpt-4o. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 183, "createdAt": "T0-P9DT29M56S"},
  {"id": "msg_archived_00000003", "conversationId": "conv_archived_0000001", "role": "user", "content": "Make it shorter, please.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P9DT4S"},
  {"id": "msg_archived_00000004", "conversationId": "conv_archived_0000001", "role": "assistant", "content": "You said: \"Make it shorter, please.\". This is reply 2 in this conversation, written by gpt-4o.\n\nA good next step is to write down the two points that matter most and start there.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 178, "createdAt": "T0-P9D"},
  {"id": "msg_power1_0000000001", "conversationId": "conv_power_0000000001", "role": "user", "content": "Tell me about quarterly figures.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT6H4S"},
  {"id": "msg_power1_0000000002", "conversationId": "conv_power_0000000001", "role": "assistant", "content": "You said: \"Tell me about quarterly figures.\". This is reply 1 in this conversation, written by gpt-4o. You could compare this with what worked last time and keep only the parts that still fit.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 192, "createdAt": "T0-PT6H"},
  {"id": "msg_powerlong_0000001", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 1 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H32M19S"},
  {"id": "msg_powerlong_0000002", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 1 about reading list\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H32M15S"},
  {"id": "msg_powerlong_0000003", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 2 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H32M4S"},
  {"id": "msg_powerlong_0000004", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 2 about reading list\". This is reply 2 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 210, "createdAt": "T0-PT12H32M"},
  {"id": "msg_powerlong_0000005", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 3 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H31M49S"},
  {"id": "msg_powerlong_0000006", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 3 about reading list\". This is reply 3 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 196, "createdAt": "T0-PT12H31M45S"},
  {"id": "msg_powerlong_0000007", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 4 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H31M34S"},
  {"id": "msg_powerlong_0000008", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 4 about reading list\". This is reply 4 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 197, "createdAt": "T0-PT12H31M30S"},
  {"id": "msg_powerlong_0000009", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 5 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H31M19S"},
  {"id": "msg_powerlong_0000010", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 5 about reading list\". This is reply 5 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 202, "createdAt": "T0-PT12H31M15S"},
  {"id": "msg_powerlong_0000011", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 6 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H31M4S"},
  {"id": "msg_powerlong_0000012", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 6 about reading list\". This is reply 6 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 203, "createdAt": "T0-PT12H31M"},
  {"id": "msg_powerlong_0000013", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 7 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H30M49S"},
  {"id": "msg_powerlong_0000014", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 7 about reading list\". This is reply 7 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H30M45S"},
  {"id": "msg_powerlong_0000015", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 8 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H30M34S"},
  {"id": "msg_powerlong_0000016", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 8 about reading list\". This is reply 8 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 212, "createdAt": "T0-PT12H30M30S"},
  {"id": "msg_powerlong_0000017", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 9 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H30M19S"},
  {"id": "msg_powerlong_0000018", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 9 about reading list\". This is reply 9 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H30M15S"},
  {"id": "msg_powerlong_0000019", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 10 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H30M4S"},
  {"id": "msg_powerlong_0000020", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 10 about reading list\". This is reply 10 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H30M"},
  {"id": "msg_powerlong_0000021", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 11 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H29M49S"},
  {"id": "msg_powerlong_0000022", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 11 about reading list\". This is reply 11 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H29M45S"},
  {"id": "msg_powerlong_0000023", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 12 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H29M34S"},
  {"id": "msg_powerlong_0000024", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 12 about reading list\". This is reply 12 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H29M30S"},
  {"id": "msg_powerlong_0000025", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 13 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H29M19S"},
  {"id": "msg_powerlong_0000026", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 13 about reading list\". This is reply 13 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H29M15S"},
  {"id": "msg_powerlong_0000027", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 14 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H29M4S"},
  {"id": "msg_powerlong_0000028", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 14 about reading list\". This is reply 14 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H29M"},
  {"id": "msg_powerlong_0000029", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 15 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H28M49S"},
  {"id": "msg_powerlong_0000030", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 15 about reading list\". This is reply 15 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H28M45S"},
  {"id": "msg_powerlong_0000031", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 16 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H28M34S"},
  {"id": "msg_powerlong_0000032", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 16 about reading list\". This is reply 16 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H28M30S"},
  {"id": "msg_powerlong_0000033", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 17 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H28M19S"},
  {"id": "msg_powerlong_0000034", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 17 about reading list\". This is reply 17 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H28M15S"},
  {"id": "msg_powerlong_0000035", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 18 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H28M4S"},
  {"id": "msg_powerlong_0000036", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 18 about reading list\". This is reply 18 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H28M"},
  {"id": "msg_powerlong_0000037", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 19 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H27M49S"},
  {"id": "msg_powerlong_0000038", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 19 about reading list\". This is reply 19 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H27M45S"},
  {"id": "msg_powerlong_0000039", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 20 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H27M34S"},
  {"id": "msg_powerlong_0000040", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 20 about reading list\". This is reply 20 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H27M30S"},
  {"id": "msg_powerlong_0000041", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 21 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H27M19S"},
  {"id": "msg_powerlong_0000042", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 21 about reading list\". This is reply 21 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H27M15S"},
  {"id": "msg_powerlong_0000043", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 22 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H27M4S"},
  {"id": "msg_powerlong_0000044", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 22 about reading list\". This is reply 22 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 212, "createdAt": "T0-PT12H27M"},
  {"id": "msg_powerlong_0000045", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 23 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H26M49S"},
  {"id": "msg_powerlong_0000046", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 23 about reading list\". This is reply 23 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H26M45S"},
  {"id": "msg_powerlong_0000047", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 24 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H26M34S"},
  {"id": "msg_powerlong_0000048", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 24 about reading list\". This is reply 24 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H26M30S"},
  {"id": "msg_powerlong_0000049", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 25 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H26M19S"},
  {"id": "msg_powerlong_0000050", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 25 about reading list\". This is reply 25 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H26M15S"},
  {"id": "msg_powerlong_0000051", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 26 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H26M4S"},
  {"id": "msg_powerlong_0000052", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 26 about reading list\". This is reply 26 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H26M"},
  {"id": "msg_powerlong_0000053", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 27 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H25M49S"},
  {"id": "msg_powerlong_0000054", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 27 about reading list\". This is reply 27 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H25M45S"},
  {"id": "msg_powerlong_0000055", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 28 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H25M34S"},
  {"id": "msg_powerlong_0000056", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 28 about reading list\". This is reply 28 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H25M30S"},
  {"id": "msg_powerlong_0000057", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 29 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H25M19S"},
  {"id": "msg_powerlong_0000058", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 29 about reading list\". This is reply 29 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H25M15S"},
  {"id": "msg_powerlong_0000059", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 30 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H25M4S"},
  {"id": "msg_powerlong_0000060", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 30 about reading list\". This is reply 30 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H25M"},
  {"id": "msg_powerlong_0000061", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 31 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H24M49S"},
  {"id": "msg_powerlong_0000062", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 31 about reading list\". This is reply 31 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H24M45S"},
  {"id": "msg_powerlong_0000063", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 32 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H24M34S"},
  {"id": "msg_powerlong_0000064", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 32 about reading list\". This is reply 32 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H24M30S"},
  {"id": "msg_powerlong_0000065", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 33 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H24M19S"},
  {"id": "msg_powerlong_0000066", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 33 about reading list\". This is reply 33 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H24M15S"},
  {"id": "msg_powerlong_0000067", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 34 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H24M4S"},
  {"id": "msg_powerlong_0000068", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 34 about reading list\". This is reply 34 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H24M"},
  {"id": "msg_powerlong_0000069", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 35 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H23M49S"},
  {"id": "msg_powerlong_0000070", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 35 about reading list\". This is reply 35 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H23M45S"},
  {"id": "msg_powerlong_0000071", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 36 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H23M34S"},
  {"id": "msg_powerlong_0000072", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 36 about reading list\". This is reply 36 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H23M30S"},
  {"id": "msg_powerlong_0000073", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 37 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H23M19S"},
  {"id": "msg_powerlong_0000074", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 37 about reading list\". This is reply 37 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H23M15S"},
  {"id": "msg_powerlong_0000075", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 38 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H23M4S"},
  {"id": "msg_powerlong_0000076", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 38 about reading list\". This is reply 38 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H23M"},
  {"id": "msg_powerlong_0000077", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 39 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H22M49S"},
  {"id": "msg_powerlong_0000078", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 39 about reading list\". This is reply 39 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H22M45S"},
  {"id": "msg_powerlong_0000079", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 40 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H22M34S"},
  {"id": "msg_powerlong_0000080", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 40 about reading list\". This is reply 40 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H22M30S"},
  {"id": "msg_powerlong_0000081", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 41 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H22M19S"},
  {"id": "msg_powerlong_0000082", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 41 about reading list\". This is reply 41 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H22M15S"},
  {"id": "msg_powerlong_0000083", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 42 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H22M4S"},
  {"id": "msg_powerlong_0000084", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 42 about reading list\". This is reply 42 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H22M"},
  {"id": "msg_powerlong_0000085", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 43 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H21M49S"},
  {"id": "msg_powerlong_0000086", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 43 about reading list\". This is reply 43 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H21M45S"},
  {"id": "msg_powerlong_0000087", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 44 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H21M34S"},
  {"id": "msg_powerlong_0000088", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 44 about reading list\". This is reply 44 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 212, "createdAt": "T0-PT12H21M30S"},
  {"id": "msg_powerlong_0000089", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 45 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H21M19S"},
  {"id": "msg_powerlong_0000090", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 45 about reading list\". This is reply 45 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H21M15S"},
  {"id": "msg_powerlong_0000091", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 46 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H21M4S"},
  {"id": "msg_powerlong_0000092", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 46 about reading list\". This is reply 46 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H21M"},
  {"id": "msg_powerlong_0000093", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 47 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H20M49S"},
  {"id": "msg_powerlong_0000094", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 47 about reading list\". This is reply 47 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H20M45S"},
  {"id": "msg_powerlong_0000095", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 48 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H20M34S"},
  {"id": "msg_powerlong_0000096", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 48 about reading list\". This is reply 48 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H20M30S"},
  {"id": "msg_powerlong_0000097", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 49 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H20M19S"},
  {"id": "msg_powerlong_0000098", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 49 about reading list\". This is reply 49 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H20M15S"},
  {"id": "msg_powerlong_0000099", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 50 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H20M4S"},
  {"id": "msg_powerlong_0000100", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 50 about reading list\". This is reply 50 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H20M"},
  {"id": "msg_powerlong_0000101", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 51 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H19M49S"},
  {"id": "msg_powerlong_0000102", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 51 about reading list\". This is reply 51 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H19M45S"},
  {"id": "msg_powerlong_0000103", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 52 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H19M34S"},
  {"id": "msg_powerlong_0000104", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 52 about reading list\". This is reply 52 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H19M30S"},
  {"id": "msg_powerlong_0000105", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 53 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H19M19S"},
  {"id": "msg_powerlong_0000106", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 53 about reading list\". This is reply 53 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H19M15S"},
  {"id": "msg_powerlong_0000107", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 54 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H19M4S"},
  {"id": "msg_powerlong_0000108", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 54 about reading list\". This is reply 54 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H19M"},
  {"id": "msg_powerlong_0000109", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 55 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H18M49S"},
  {"id": "msg_powerlong_0000110", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 55 about reading list\". This is reply 55 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H18M45S"},
  {"id": "msg_powerlong_0000111", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 56 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H18M34S"},
  {"id": "msg_powerlong_0000112", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 56 about reading list\". This is reply 56 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H18M30S"},
  {"id": "msg_powerlong_0000113", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 57 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H18M19S"},
  {"id": "msg_powerlong_0000114", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 57 about reading list\". This is reply 57 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H18M15S"},
  {"id": "msg_powerlong_0000115", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 58 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H18M4S"},
  {"id": "msg_powerlong_0000116", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 58 about reading list\". This is reply 58 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H18M"},
  {"id": "msg_powerlong_0000117", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 59 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H17M49S"},
  {"id": "msg_powerlong_0000118", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 59 about reading list\". This is reply 59 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H17M45S"},
  {"id": "msg_powerlong_0000119", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 60 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H17M34S"},
  {"id": "msg_powerlong_0000120", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 60 about reading list\". This is reply 60 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H17M30S"},
  {"id": "msg_powerlong_0000121", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 61 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H17M19S"},
  {"id": "msg_powerlong_0000122", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 61 about reading list\". This is reply 61 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H17M15S"},
  {"id": "msg_powerlong_0000123", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 62 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H17M4S"},
  {"id": "msg_powerlong_0000124", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 62 about reading list\". This is reply 62 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H17M"},
  {"id": "msg_powerlong_0000125", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 63 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H16M49S"},
  {"id": "msg_powerlong_0000126", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 63 about reading list\". This is reply 63 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H16M45S"},
  {"id": "msg_powerlong_0000127", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 64 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H16M34S"},
  {"id": "msg_powerlong_0000128", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 64 about reading list\". This is reply 64 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H16M30S"},
  {"id": "msg_powerlong_0000129", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 65 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H16M19S"},
  {"id": "msg_powerlong_0000130", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 65 about reading list\". This is reply 65 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H16M15S"},
  {"id": "msg_powerlong_0000131", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 66 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H16M4S"},
  {"id": "msg_powerlong_0000132", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 66 about reading list\". This is reply 66 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 212, "createdAt": "T0-PT12H16M"},
  {"id": "msg_powerlong_0000133", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 67 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H15M49S"},
  {"id": "msg_powerlong_0000134", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 67 about reading list\". This is reply 67 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H15M45S"},
  {"id": "msg_powerlong_0000135", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 68 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H15M34S"},
  {"id": "msg_powerlong_0000136", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 68 about reading list\". This is reply 68 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H15M30S"},
  {"id": "msg_powerlong_0000137", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 69 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H15M19S"},
  {"id": "msg_powerlong_0000138", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 69 about reading list\". This is reply 69 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H15M15S"},
  {"id": "msg_powerlong_0000139", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 70 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H15M4S"},
  {"id": "msg_powerlong_0000140", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 70 about reading list\". This is reply 70 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H15M"},
  {"id": "msg_powerlong_0000141", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 71 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H14M49S"},
  {"id": "msg_powerlong_0000142", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 71 about reading list\". This is reply 71 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H14M45S"},
  {"id": "msg_powerlong_0000143", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 72 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H14M34S"},
  {"id": "msg_powerlong_0000144", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 72 about reading list\". This is reply 72 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H14M30S"},
  {"id": "msg_powerlong_0000145", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 73 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H14M19S"},
  {"id": "msg_powerlong_0000146", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 73 about reading list\". This is reply 73 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H14M15S"},
  {"id": "msg_powerlong_0000147", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 74 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H14M4S"},
  {"id": "msg_powerlong_0000148", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 74 about reading list\". This is reply 74 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H14M"},
  {"id": "msg_powerlong_0000149", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 75 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H13M49S"},
  {"id": "msg_powerlong_0000150", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 75 about reading list\". This is reply 75 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H13M45S"},
  {"id": "msg_powerlong_0000151", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 76 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H13M34S"},
  {"id": "msg_powerlong_0000152", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 76 about reading list\". This is reply 76 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H13M30S"},
  {"id": "msg_powerlong_0000153", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 77 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H13M19S"},
  {"id": "msg_powerlong_0000154", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 77 about reading list\". This is reply 77 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H13M15S"},
  {"id": "msg_powerlong_0000155", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 78 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H13M4S"},
  {"id": "msg_powerlong_0000156", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 78 about reading list\". This is reply 78 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H13M"},
  {"id": "msg_powerlong_0000157", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 79 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H12M49S"},
  {"id": "msg_powerlong_0000158", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 79 about reading list\". This is reply 79 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H12M45S"},
  {"id": "msg_powerlong_0000159", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 80 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H12M34S"},
  {"id": "msg_powerlong_0000160", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 80 about reading list\". This is reply 80 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 212, "createdAt": "T0-PT12H12M30S"},
  {"id": "msg_powerlong_0000161", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 81 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H12M19S"},
  {"id": "msg_powerlong_0000162", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 81 about reading list\". This is reply 81 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H12M15S"},
  {"id": "msg_powerlong_0000163", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 82 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H12M4S"},
  {"id": "msg_powerlong_0000164", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 82 about reading list\". This is reply 82 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H12M"},
  {"id": "msg_powerlong_0000165", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 83 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H11M49S"},
  {"id": "msg_powerlong_0000166", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 83 about reading list\". This is reply 83 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H11M45S"},
  {"id": "msg_powerlong_0000167", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 84 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H11M34S"},
  {"id": "msg_powerlong_0000168", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 84 about reading list\". This is reply 84 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H11M30S"},
  {"id": "msg_powerlong_0000169", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 85 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H11M19S"},
  {"id": "msg_powerlong_0000170", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 85 about reading list\". This is reply 85 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 208, "createdAt": "T0-PT12H11M15S"},
  {"id": "msg_powerlong_0000171", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 86 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H11M4S"},
  {"id": "msg_powerlong_0000172", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 86 about reading list\". This is reply 86 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H11M"},
  {"id": "msg_powerlong_0000173", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 87 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H10M49S"},
  {"id": "msg_powerlong_0000174", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 87 about reading list\". This is reply 87 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H10M45S"},
  {"id": "msg_powerlong_0000175", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 88 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H10M34S"},
  {"id": "msg_powerlong_0000176", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 88 about reading list\". This is reply 88 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 212, "createdAt": "T0-PT12H10M30S"},
  {"id": "msg_powerlong_0000177", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 89 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H10M19S"},
  {"id": "msg_powerlong_0000178", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 89 about reading list\". This is reply 89 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H10M15S"},
  {"id": "msg_powerlong_0000179", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 90 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H10M4S"},
  {"id": "msg_powerlong_0000180", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 90 about reading list\". This is reply 90 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H10M"},
  {"id": "msg_powerlong_0000181", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 91 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H9M49S"},
  {"id": "msg_powerlong_0000182", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 91 about reading list\". This is reply 91 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H9M45S"},
  {"id": "msg_powerlong_0000183", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 92 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H9M34S"},
  {"id": "msg_powerlong_0000184", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 92 about reading list\". This is reply 92 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 199, "createdAt": "T0-PT12H9M30S"},
  {"id": "msg_powerlong_0000185", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 93 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H9M19S"},
  {"id": "msg_powerlong_0000186", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 93 about reading list\". This is reply 93 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H9M15S"},
  {"id": "msg_powerlong_0000187", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 94 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H9M4S"},
  {"id": "msg_powerlong_0000188", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 94 about reading list\". This is reply 94 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 205, "createdAt": "T0-PT12H9M"},
  {"id": "msg_powerlong_0000189", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 95 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H8M49S"},
  {"id": "msg_powerlong_0000190", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 95 about reading list\". This is reply 95 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 198, "createdAt": "T0-PT12H8M45S"},
  {"id": "msg_powerlong_0000191", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 96 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H8M34S"},
  {"id": "msg_powerlong_0000192", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 96 about reading list\". This is reply 96 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H8M30S"},
  {"id": "msg_powerlong_0000193", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 97 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H8M19S"},
  {"id": "msg_powerlong_0000194", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 97 about reading list\". This is reply 97 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 204, "createdAt": "T0-PT12H8M15S"},
  {"id": "msg_powerlong_0000195", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 98 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H8M4S"},
  {"id": "msg_powerlong_0000196", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 98 about reading list\". This is reply 98 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 209, "createdAt": "T0-PT12H8M"},
  {"id": "msg_powerlong_0000197", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 99 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H7M49S"},
  {"id": "msg_powerlong_0000198", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 99 about reading list\". This is reply 99 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H7M45S"},
  {"id": "msg_powerlong_0000199", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 100 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H7M34S"},
  {"id": "msg_powerlong_0000200", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 100 about reading list\". This is reply 100 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H7M30S"},
  {"id": "msg_powerlong_0000201", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 101 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H7M19S"},
  {"id": "msg_powerlong_0000202", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 101 about reading list\". This is reply 101 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 215, "createdAt": "T0-PT12H7M15S"},
  {"id": "msg_powerlong_0000203", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 102 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H7M4S"},
  {"id": "msg_powerlong_0000204", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 102 about reading list\". This is reply 102 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 201, "createdAt": "T0-PT12H7M"},
  {"id": "msg_powerlong_0000205", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 103 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H6M49S"},
  {"id": "msg_powerlong_0000206", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 103 about reading list\". This is reply 103 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H6M45S"},
  {"id": "msg_powerlong_0000207", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 104 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H6M34S"},
  {"id": "msg_powerlong_0000208", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 104 about reading list\". This is reply 104 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 207, "createdAt": "T0-PT12H6M30S"},
  {"id": "msg_powerlong_0000209", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 105 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H6M19S"},
  {"id": "msg_powerlong_0000210", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 105 about reading list\". This is reply 105 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 200, "createdAt": "T0-PT12H6M15S"},
  {"id": "msg_powerlong_0000211", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 106 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H6M4S"},
  {"id": "msg_powerlong_0000212", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 106 about reading list\". This is reply 106 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H6M"},
  {"id": "msg_powerlong_0000213", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 107 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H5M49S"},
  {"id": "msg_powerlong_0000214", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 107 about reading list\". This is reply 107 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H5M45S"},
  {"id": "msg_powerlong_0000215", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 108 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H5M34S"},
  {"id": "msg_powerlong_0000216", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 108 about reading list\". This is reply 108 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H5M30S"},
  {"id": "msg_powerlong_0000217", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 109 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H5M19S"},
  {"id": "msg_powerlong_0000218", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 109 about reading list\". This is reply 109 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 215, "createdAt": "T0-PT12H5M15S"},
  {"id": "msg_powerlong_0000219", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 110 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H5M4S"},
  {"id": "msg_powerlong_0000220", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 110 about reading list\". This is reply 110 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H5M"},
  {"id": "msg_powerlong_0000221", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 111 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H4M49S"},
  {"id": "msg_powerlong_0000222", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 111 about reading list\". This is reply 111 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 200, "createdAt": "T0-PT12H4M45S"},
  {"id": "msg_powerlong_0000223", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 112 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H4M34S"},
  {"id": "msg_powerlong_0000224", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 112 about reading list\". This is reply 112 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 216, "createdAt": "T0-PT12H4M30S"},
  {"id": "msg_powerlong_0000225", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 113 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H4M19S"},
  {"id": "msg_powerlong_0000226", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 113 about reading list\". This is reply 113 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 210, "createdAt": "T0-PT12H4M15S"},
  {"id": "msg_powerlong_0000227", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 114 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H4M4S"},
  {"id": "msg_powerlong_0000228", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 114 about reading list\". This is reply 114 in this conversation, written by claude-3-5-sonnet-20241022.\n\nA good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 207, "createdAt": "T0-PT12H4M"},
  {"id": "msg_powerlong_0000229", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 115 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H3M49S"},
  {"id": "msg_powerlong_0000230", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 115 about reading list\". This is reply 115 in this conversation, written by claude-3-5-sonnet-20241022. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 210, "createdAt": "T0-PT12H3M45S"},
  {"id": "msg_powerlong_0000231", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 116 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H3M34S"},
  {"id": "msg_powerlong_0000232", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 116 about reading list\". This is reply 116 in this conversation, written by claude-3-5-sonnet-20241022.\n\nMost of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 201, "createdAt": "T0-PT12H3M30S"},
  {"id": "msg_powerlong_0000233", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 117 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H3M19S"},
  {"id": "msg_powerlong_0000234", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 117 about reading list\". This is reply 117 in this conversation, written by claude-3-5-sonnet-20241022. Small steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H3M15S"},
  {"id": "msg_powerlong_0000235", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 118 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H3M4S"},
  {"id": "msg_powerlong_0000236", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 118 about reading list\". This is reply 118 in this conversation, written by claude-3-5-sonnet-20241022.\n\nYou could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 214, "createdAt": "T0-PT12H3M"},
  {"id": "msg_powerlong_0000237", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 119 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H2M49S"},
  {"id": "msg_powerlong_0000238", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 119 about reading list\". This is reply 119 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 200, "createdAt": "T0-PT12H2M45S"},
  {"id": "msg_powerlong_0000239", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 120 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H2M34S"},
  {"id": "msg_powerlong_0000240", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 120 about reading list\". This is reply 120 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H2M30S"},
  {"id": "msg_powerlong_0000241", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 121 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H2M19S"},
  {"id": "msg_powerlong_0000242", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 121 about reading list\". This is reply 121 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H2M15S"},
  {"id": "msg_powerlong_0000243", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 122 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H2M4S"},
  {"id": "msg_powerlong_0000244", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 122 about reading list\". This is reply 122 in this conversation, written by claude-3-5-sonnet-20241022.\n\nSmall steps make it easier to notice early when something does not go as expected.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 207, "createdAt": "T0-PT12H2M"},
  {"id": "msg_powerlong_0000245", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 123 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H1M49S"},
  {"id": "msg_powerlong_0000246", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 123 about reading list\". This is reply 123 in this conversation, written by claude-3-5-sonnet-20241022. Most of the work is in the details, so let us take them one after the other.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 200, "createdAt": "T0-PT12H1M45S"},
  {"id": "msg_powerlong_0000247", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 124 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H1M34S"},
  {"id": "msg_powerlong_0000248", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 124 about reading list\". This is reply 124 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIf you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 201, "createdAt": "T0-PT12H1M30S"},
  {"id": "msg_powerlong_0000249", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 125 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H1M19S"},
  {"id": "msg_powerlong_0000250", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 125 about reading list\". This is reply 125 in this conversation, written by claude-3-5-sonnet-20241022. You could compare this with what worked last time and keep only the parts that still fit.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 213, "createdAt": "T0-PT12H1M15S"},
  {"id": "msg_powerlong_0000251", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 126 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H1M4S"},
  {"id": "msg_powerlong_0000252", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 126 about reading list\". This is reply 126 in this conversation, written by claude-3-5-sonnet-20241022.\n\nWhen in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H1M"},
  {"id": "msg_powerlong_0000253", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 127 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H49S"},
  {"id": "msg_powerlong_0000254", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 127 about reading list\". This is reply 127 in this conversation, written by claude-3-5-sonnet-20241022. There are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 215, "createdAt": "T0-PT12H45S"},
  {"id": "msg_powerlong_0000255", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 128 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H34S"},
  {"id": "msg_powerlong_0000256", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 128 about reading list\". This is reply 128 in this conversation, written by claude-3-5-sonnet-20241022.\n\nIt may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 211, "createdAt": "T0-PT12H30S"},
  {"id": "msg_powerlong_0000257", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 129 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H19S"},
  {"id": "msg_powerlong_0000258", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 129 about reading list\". This is reply 129 in this conversation, written by claude-3-5-sonnet-20241022. A good next step is to write down the two points that matter most and start there.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 206, "createdAt": "T0-PT12H15S"},
  {"id": "msg_powerlong_0000259", "conversationId": "conv_power_0000000002", "role": "user", "content": "Question 130 about reading list", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H4S"},
  {"id": "msg_powerlong_0000260", "conversationId": "conv_power_0000000002", "role": "assistant", "content": "You said: \"Question 130 about reading list\". This is reply 130 in this conversation, written by claude-3-5-sonnet-20241022.\n\nThere are several ways to look at this, and the simplest one is usually worth trying first.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 216, "createdAt": "T0-PT12H"},
  {"id": "msg_power3_0000000001", "conversationId": "conv_power_0000000003", "role": "user", "content": "Tell me about team offsite.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT18H4S"},
  {"id": "msg_power3_0000000002", "conversationId": "conv_power_0000000003", "role": "assistant", "content": "You said: \"Tell me about team offsite.\". This is reply 1 in this conversation, written by gemini-2.0-flash. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-PT18H"},
  {"id": "msg_power4_0000000001", "conversationId": "conv_power_0000000004", "role": "user", "content": "Tell me about interview questions.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT4S"},
  {"id": "msg_power4_0000000002", "conversationId": "conv_power_0000000004", "role": "assistant", "content": "You said: \"Tell me about interview questions.\". This is reply 1 in this conversation, written by deepseek-chat. A good next step is to write down the two points that matter most and start there.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P1D"},
  {"id": "msg_power5_0000000001", "conversationId": "conv_power_0000000005", "role": "user", "content": "Tell me about translation.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT6H4S"},
  {"id": "msg_power5_0000000002", "conversationId": "conv_power_0000000005", "role": "assistant", "content": "You said: \"Tell me about translation.\". This is reply 1 in this conversation, written by gpt-4.1. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gpt-4.1", "isComplete": true, "tokensGenerated": 184, "createdAt": "T0-P1DT6H"},
  {"id": "msg_power6_0000000001", "conversationId": "conv_power_0000000006", "role": "user", "content": "Tell me about travel plan.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT12H4S"},
  {"id": "msg_power6_0000000002", "conversationId": "conv_power_0000000006", "role": "assistant", "content": "You said: \"Tell me about travel plan.\". This is reply 1 in this conversation, written by gpt-4o-mini. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 184, "createdAt": "T0-P1DT12H"},
  {"id": "msg_power7_0000000001", "conversationId": "conv_power_0000000007", "role": "user", "content": "Tell me about code review.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P1DT18H4S"},
  {"id": "msg_power7_0000000002", "conversationId": "conv_power_0000000007", "role": "assistant", "content": "You said: \"Tell me about code review.\". This is reply 1 in this conversation, written by gpt-4o. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 179, "createdAt": "T0-P1DT18H"},
  {"id": "msg_power8_0000000001", "conversationId": "conv_power_0000000008", "role": "user", "content": "Tell me about bug triage.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P2DT4S"},
  {"id": "msg_power8_0000000002", "conversationId": "conv_power_0000000008", "role": "assistant", "content": "You said: \"Tell me about bug triage.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 202, "createdAt": "T0-P2D"},
  {"id": "msg_power9_0000000001", "conversationId": "conv_power_0000000009", "role": "user", "content": "Tell me about design feedback.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P2DT6H4S"},
  {"id": "msg_power9_0000000002", "conversationId": "conv_power_0000000009", "role": "assistant", "content": "You said: \"Tell me about design feedback.\". This is reply 1 in this conversation, written by gemini-2.0-flash. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 197, "createdAt": "T0-P2DT6H"},
  {"id": "msg_power10_000000001", "conversationId": "conv_power_0000000010", "role": "user", "content": "Tell me about recipes.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P2DT12H4S"},
  {"id": "msg_power10_000000002", "conversationId": "conv_power_0000000010", "role": "assistant", "content": "You said: \"Tell me about recipes.\". This is reply 1 in this conversation, written by deepseek-chat. Small steps make it easier to notice early when something does not go as expected.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 182, "createdAt": "T0-P2DT12H"},
  {"id": "msg_power11_000000001", "conversationId": "conv_power_0000000011", "role": "user", "content": "Tell me about workshop.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P2DT18H4S"},
  {"id": "msg_power11_000000002", "conversationId": "conv_power_0000000011", "role": "assistant", "content": "You said: \"Tell me about workshop.\". This is reply 1 in this conversation, written by gpt-4.1. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4.1", "isComplete": true, "tokensGenerated": 177, "createdAt": "T0-P2DT18H"},
  {"id": "msg_power12_000000001", "conversationId": "conv_power_0000000012", "role": "user", "content": "Tell me about release notes.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P3DT4S"},
  {"id": "msg_power12_000000002", "conversationId": "conv_power_0000000012", "role": "assistant", "content": "You said: \"Tell me about release notes.\". This is reply 1 in this conversation, written by gpt-4o-mini. Most of the work is in the details, so let us take them one after the other.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 180, "createdAt": "T0-P3D"},
  {"id": "msg_power13_000000001", "conversationId": "conv_power_0000000013", "role": "user", "content": "Tell me about quarterly figures.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P3DT6H4S"},
  {"id": "msg_power13_000000002", "conversationId": "conv_power_0000000013", "role": "assistant", "content": "You said: \"Tell me about quarterly figures.\". This is reply 1 in this conversation, written by gpt-4o. You could compare this with what worked last time and keep only the parts that still fit.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 192, "createdAt": "T0-P3DT6H"},
  {"id": "msg_power14_000000001", "conversationId": "conv_power_0000000014", "role": "user", "content": "Tell me about reading list.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P3DT12H4S"},
  {"id": "msg_power14_000000002", "conversationId": "conv_power_0000000014", "role": "assistant", "content": "You said: \"Tell me about reading list.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P3DT12H"},
  {"id": "msg_power15_000000001", "conversationId": "conv_power_0000000015", "role": "user", "content": "Tell me about team offsite.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P3DT18H4S"},
  {"id": "msg_power15_000000002", "conversationId": "conv_power_0000000015", "role": "assistant", "content": "You said: \"Tell me about team offsite.\". This is reply 1 in this conversation, written by gemini-2.0-flash. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P3DT18H"},
  {"id": "msg_power16_000000001", "conversationId": "conv_power_0000000016", "role": "user", "content": "Tell me about interview questions.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P4DT4S"},
  {"id": "msg_power16_000000002", "conversationId": "conv_power_0000000016", "role": "assistant", "content": "You said: \"Tell me about interview questions.\". This is reply 1 in this conversation, written by deepseek-chat. A good next step is to write down the two points that matter most and start there.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P4D"},
  {"id": "msg_power17_000000001", "conversationId": "conv_power_0000000017", "role": "user", "content": "Tell me about translation.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P4DT6H4S"},
  {"id": "msg_power17_000000002", "conversationId": "conv_power_0000000017", "role": "assistant", "content": "You said: \"Tell me about translation.\". This is reply 1 in this conversation, written by gpt-4.1. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gpt-4.1", "isComplete": true, "tokensGenerated": 184, "createdAt": "T0-P4DT6H"},
  {"id": "msg_power18_000000001", "conversationId": "conv_power_0000000018", "role": "user", "content": "Tell me about travel plan.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P4DT12H4S"},
  {"id": "msg_power18_000000002", "conversationId": "conv_power_0000000018", "role": "assistant", "content": "You said: \"Tell me about travel plan.\". This is reply 1 in this conversation, written by gpt-4o-mini. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 184, "createdAt": "T0-P4DT12H"},
  {"id": "msg_power19_000000001", "conversationId": "conv_power_0000000019", "role": "user", "content": "Tell me about code review.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P4DT18H4S"},
  {"id": "msg_power19_000000002", "conversationId": "conv_power_0000000019", "role": "assistant", "content": "You said: \"Tell me about code review.\". This is reply 1 in this conversation, written by gpt-4o. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 179, "createdAt": "T0-P4DT18H"},
  {"id": "msg_power20_000000001", "conversationId": "conv_power_0000000020", "role": "user", "content": "Tell me about bug triage.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P5DT4S"},
  {"id": "msg_power20_000000002", "conversationId": "conv_power_0000000020", "role": "assistant", "content": "You said: \"Tell me about bug triage.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 202, "createdAt": "T0-P5D"},
  {"id": "msg_power21_000000001", "conversationId": "conv_power_0000000021", "role": "user", "content": "Tell me about design feedback.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P5DT6H4S"},
  {"id": "msg_power21_000000002", "conversationId": "conv_power_0000000021", "role": "assistant", "content": "You said: \"Tell me about design feedback.\". This is reply 1 in this conversation, written by gemini-2.0-flash. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 197, "createdAt": "T0-P5DT6H"},
  {"id": "msg_power22_000000001", "conversationId": "conv_power_0000000022", "role": "user", "content": "Tell me about recipes.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P5DT12H4S"},
  {"id": "msg_power22_000000002", "conversationId": "conv_power_0000000022", "role": "assistant", "content": "You said: \"Tell me about recipes.\". This is reply 1 in this conversation, written by deepseek-chat. Small steps make it easier to notice early when something does not go as expected.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 182, "createdAt": "T0-P5DT12H"},
  {"id": "msg_power23_000000001", "conversationId": "conv_power_0000000023", "role": "user", "content": "Tell me about workshop.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P5DT18H4S"},
  {"id": "msg_power23_000000002", "conversationId": "conv_power_0000000023", "role": "assistant", "content": "You said: \"Tell me about workshop.\". This is reply 1 in this conversation, written by gpt-4.1. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4.1", "isComplete": true, "tokensGenerated": 177, "createdAt": "T0-P5DT18H"},
  {"id": "msg_power24_000000001", "conversationId": "conv_power_0000000024", "role": "user", "content": "Tell me about release notes.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P6DT4S"},
  {"id": "msg_power24_000000002", "conversationId": "conv_power_0000000024", "role": "assistant", "content": "You said: \"Tell me about release notes.\". This is reply 1 in this conversation, written by gpt-4o-mini. Most of the work is in the details, so let us take them one after the other.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 180, "createdAt": "T0-P6D"},
  {"id": "msg_power25_000000001", "conversationId": "conv_power_0000000025", "role": "user", "content": "Tell me about quarterly figures.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P6DT6H4S"},
  {"id": "msg_power25_000000002", "conversationId": "conv_power_0000000025", "role": "assistant", "content": "You said: \"Tell me about quarterly figures.\". This is reply 1 in this conversation, written by gpt-4o. You could compare this with what worked last time and keep only the parts that still fit.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 192, "createdAt": "T0-P6DT6H"},
  {"id": "msg_power26_000000001", "conversationId": "conv_power_0000000026", "role": "user", "content": "Tell me about reading list.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P6DT12H4S"},
  {"id": "msg_power26_000000002", "conversationId": "conv_power_0000000026", "role": "assistant", "content": "You said: \"Tell me about reading list.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P6DT12H"},
  {"id": "msg_power27_000000001", "conversationId": "conv_power_0000000027", "role": "user", "content": "Tell me about team offsite.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P6DT18H4S"},
  {"id": "msg_power27_000000002", "conversationId": "conv_power_0000000027", "role": "assistant", "content": "You said: \"Tell me about team offsite.\". This is reply 1 in this conversation, written by gemini-2.0-flash. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P6DT18H"},
  {"id": "msg_power28_000000001", "conversationId": "conv_power_0000000028", "role": "user", "content": "Tell me about interview questions.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P7DT4S"},
  {"id": "msg_power28_000000002", "conversationId": "conv_power_0000000028", "role": "assistant", "content": "You said: \"Tell me about interview questions.\". This is reply 1 in this conversation, written by deepseek-chat. A good next step is to write down the two points that matter most and start there.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P7D"},
  {"id": "msg_power29_000000001", "conversationId": "conv_power_0000000029", "role": "user", "content": "Tell me about translation.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P7DT6H4S"},
  {"id": "msg_power29_000000002", "conversationId": "conv_power_0000000029", "role": "assistant", "content": "You said: \"Tell me about translation.\". This is reply 1 in this conversation, written by gpt-4.1. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gpt-4.1", "isComplete": true, "tokensGenerated": 184, "createdAt": "T0-P7DT6H"},
  {"id": "msg_power30_000000001", "conversationId": "conv_power_0000000030", "role": "user", "content": "Tell me about travel plan.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P7DT12H4S"},
  {"id": "msg_power30_000000002", "conversationId": "conv_power_0000000030", "role": "assistant", "content": "You said: \"Tell me about travel plan.\". This is reply 1 in this conversation, written by gpt-4o-mini. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 184, "createdAt": "T0-P7DT12H"},
  {"id": "msg_power31_000000001", "conversationId": "conv_power_0000000031", "role": "user", "content": "Tell me about code review.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P7DT18H4S"},
  {"id": "msg_power31_000000002", "conversationId": "conv_power_0000000031", "role": "assistant", "content": "You said: \"Tell me about code review.\". This is reply 1 in this conversation, written by gpt-4o. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 179, "createdAt": "T0-P7DT18H"},
  {"id": "msg_power32_000000001", "conversationId": "conv_power_0000000032", "role": "user", "content": "Tell me about bug triage.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P8DT4S"},
  {"id": "msg_power32_000000002", "conversationId": "conv_power_0000000032", "role": "assistant", "content": "You said: \"Tell me about bug triage.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 202, "createdAt": "T0-P8D"},
  {"id": "msg_power33_000000001", "conversationId": "conv_power_0000000033", "role": "user", "content": "Tell me about design feedback.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P8DT6H4S"},
  {"id": "msg_power33_000000002", "conversationId": "conv_power_0000000033", "role": "assistant", "content": "You said: \"Tell me about design feedback.\". This is reply 1 in this conversation, written by gemini-2.0-flash. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 197, "createdAt": "T0-P8DT6H"},
  {"id": "msg_power34_000000001", "conversationId": "conv_power_0000000034", "role": "user", "content": "Tell me about recipes.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P8DT12H4S"},
  {"id": "msg_power34_000000002", "conversationId": "conv_power_0000000034", "role": "assistant", "content": "You said: \"Tell me about recipes.\". This is reply 1 in this conversation, written by deepseek-chat. Small steps make it easier to notice early when something does not go as expected.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 182, "createdAt": "T0-P8DT12H"},
  {"id": "msg_power35_000000001", "conversationId": "conv_power_0000000035", "role": "user", "content": "Tell me about workshop.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P8DT18H4S"},
  {"id": "msg_power35_000000002", "conversationId": "conv_power_0000000035", "role": "assistant", "content": "You said: \"Tell me about workshop.\". This is reply 1 in this conversation, written by gpt-4.1. Small steps make it easier to notice early when something does not go as expected.", "model": "gpt-4.1", "isComplete": true, "tokensGenerated": 177, "createdAt": "T0-P8DT18H"},
  {"id": "msg_power36_000000001", "conversationId": "conv_power_0000000036", "role": "user", "content": "Tell me about release notes.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P9DT4S"},
  {"id": "msg_power36_000000002", "conversationId": "conv_power_0000000036", "role": "assistant", "content": "You said: \"Tell me about release notes.\". This is reply 1 in this conversation, written by gpt-4o-mini. Most of the work is in the details, so let us take them one after the other.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 180, "createdAt": "T0-P9D"},
  {"id": "msg_power37_000000001", "conversationId": "conv_power_0000000037", "role": "user", "content": "Tell me about quarterly figures.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P9DT6H4S"},
  {"id": "msg_power37_000000002", "conversationId": "conv_power_0000000037", "role": "assistant", "content": "You said: \"Tell me about quarterly figures.\". This is reply 1 in this conversation, written by gpt-4o. You could compare this with what worked last time and keep only the parts that still fit.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 192, "createdAt": "T0-P9DT6H"},
  {"id": "msg_power38_000000001", "conversationId": "conv_power_0000000038", "role": "user", "content": "Tell me about reading list.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P9DT12H4S"},
  {"id": "msg_power38_000000002", "conversationId": "conv_power_0000000038", "role": "assistant", "content": "You said: \"Tell me about reading list.\". This is reply 1 in this conversation, written by claude-3-5-sonnet-20241022. If you tell me a little more about the goal, I can make the plan more exact.", "model": "claude-3-5-sonnet-20241022", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P9DT12H"},
  {"id": "msg_power39_000000001", "conversationId": "conv_power_0000000039", "role": "user", "content": "Tell me about team offsite.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P9DT18H4S"},
  {"id": "msg_power39_000000002", "conversationId": "conv_power_0000000039", "role": "assistant", "content": "You said: \"Tell me about team offsite.\". This is reply 1 in this conversation, written by gemini-2.0-flash. When in doubt, ask the people who will use it every day what they would miss the most.", "model": "gemini-2.0-flash", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P9DT18H"},
  {"id": "msg_power40_000000001", "conversationId": "conv_power_0000000040", "role": "user", "content": "Tell me about interview questions.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P10DT4S"},
  {"id": "msg_power40_000000002", "conversationId": "conv_power_0000000040", "role": "assistant", "content": "You said: \"Tell me about interview questions.\". This is reply 1 in this conversation, written by deepseek-chat. A good next step is to write down the two points that matter most and start there.", "model": "deepseek-chat", "isComplete": true, "tokensGenerated": 194, "createdAt": "T0-P10D"},
  {"id": "msg_other_00000000001", "conversationId": "conv_other_account_01", "role": "user", "content": "Remember that this belongs to somebody else.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-P3DT4S"},
  {"id": "msg_other_00000000002", "conversationId": "conv_other_account_01", "role": "assistant", "content": "You said: \"Remember that this belongs to somebody else.\". This is reply 1 in this conversation, written by gpt-4o-mini. A good next step is to write down the two points that matter most and start there.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 202, "createdAt": "T0-P3D"},
  {"id": "msg_edgeuni_000000001", "conversationId": "conv_edge_unicode_001", "role": "user", "content": "Emoji 👩🏽‍🚀🏳️‍🌈, right-to-left مرحبا بالعالم, combining é ạ̈, separators     .", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT4H4S"},
  {"id": "msg_edgeuni_000000002", "conversationId": "conv_edge_unicode_001", "role": "assistant", "content": "You said: \"Emoji 👩🏽‍🚀🏳️‍🌈, right-to-left مرحبا بالعالم, combining é ạ̈, separators     .\". This is reply 1 in this conversation, written by gpt-4o. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gpt-4o", "isComplete": true, "tokensGenerated": 242, "createdAt": "T0-PT4H"},
  {"id": "msg_edgertl_000000001", "conversationId": "conv_edge_rtl_0000001", "role": "user", "content": "اكتب لي قائمة قصيرة", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT6H4S"},
  {"id": "msg_edgertl_000000002", "conversationId": "conv_edge_rtl_0000001", "role": "assistant", "content": "You said: \"اكتب لي قائمة قصيرة\". This is reply 1 in this conversation, written by gpt-4o-mini. It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 181, "createdAt": "T0-PT6H"},
  {"id": "msg_edgelong_00000001", "conversationId": "conv_edge_long_000001", "role": "user", "content": "Write twenty thousand characters.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT8H4S"},
  {"id": "msg_edgelong_00000002", "conversationId": "conv_edge_long_000001", "role": "assistant", "content": "This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to make the message long. This line is here to mak", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 20000, "createdAt": "T0-PT8H"},
  {"id": "msg_edgeinc_000000001", "conversationId": "conv_edge_incomplete1", "role": "user", "content": "Are you there?", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT10H"},
  {"id": "msg_edgeinc_000000002", "conversationId": "conv_edge_incomplete1", "role": "assistant", "content": "", "model": "gpt-4o", "isComplete": false, "tokensGenerated": 0, "createdAt": "T0-PT10H"},
  {"id": "msg_edgefile_00000001", "conversationId": "conv_edge_filegone_01", "role": "user", "content": "See the picture.", "isComplete": true, "tokensGenerated": 0, "createdAt": "T0-PT12H4S"},
  {"id": "msg_edgefile_00000002", "conversationId": "conv_edge_filegone_01", "role": "assistant", "content": "You said: \"See the picture.\". This is reply 1 in this conversation, written by gpt-4o-mini. Most of the work is in the details, so let us take them one after the other.", "model": "gpt-4o-mini", "isComplete": true, "tokensGenerated": 168, "createdAt": "T0-PT12H"}
]

"""####
        ),
        (
            "models.json",
            ####"""
[
  {"id": "gpt-4.1", "name": "GPT-4.1", "provider": "openai", "contextWindow": 128000, "maxOutput": 16384, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "gpt-4.1-mini", "name": "GPT-4.1 Mini", "provider": "openai", "contextWindow": 128000, "maxOutput": 16384, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "gpt-4.1-nano", "name": "GPT-4.1 Nano", "provider": "openai", "contextWindow": 128000, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "o3", "name": "O3", "provider": "openai", "contextWindow": 128000, "maxOutput": 65536, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "o3-mini", "name": "O3 Mini", "provider": "openai", "contextWindow": 128000, "maxOutput": 65536, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "gpt-4o", "name": "GPT-4o", "provider": "openai", "contextWindow": 128000, "maxOutput": 16384, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "gpt-4o-mini", "name": "GPT-4o Mini", "provider": "openai", "contextWindow": 128000, "maxOutput": 16384, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "claude-opus-4-20250514", "name": "Claude Opus 4", "provider": "anthropic", "contextWindow": 200000, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "claude-sonnet-4-20250514", "name": "Claude Sonnet 4", "provider": "anthropic", "contextWindow": 200000, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "claude-3-7-sonnet-20250219", "name": "Claude 3.7 Sonnet", "provider": "anthropic", "contextWindow": 200000, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "claude-3-5-sonnet-20241022", "name": "Claude 3.5 Sonnet (New)", "provider": "anthropic", "contextWindow": 200000, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "claude-3-5-haiku-20241022", "name": "Claude 3.5 Haiku", "provider": "anthropic", "contextWindow": 200000, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "gemini-2.0-flash", "name": "Gemini 2.0 Flash", "provider": "google", "contextWindow": 1048576, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": false},
  {"id": "gemini-1.5-pro", "name": "Gemini 1.5 Pro", "provider": "google", "contextWindow": 2097152, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "gemini-1.5-flash", "name": "Gemini 1.5 Flash", "provider": "google", "contextWindow": 1048576, "maxOutput": 8192, "supportsVision": true, "supportsTools": true, "supportsWebSearch": true},
  {"id": "grok-3", "name": "grok-3", "provider": "xai", "contextWindow": 128000, "maxOutput": 4096, "supportsVision": false, "supportsTools": false, "supportsWebSearch": false},
  {"id": "grok-3-mini", "name": "grok-3-mini", "provider": "xai", "contextWindow": 128000, "maxOutput": 4096, "supportsVision": false, "supportsTools": false, "supportsWebSearch": false},
  {"id": "deepseek-chat", "name": "DeepSeek Chat", "provider": "deepseek", "contextWindow": 64000, "maxOutput": 4096, "supportsVision": false, "supportsTools": true, "supportsWebSearch": false},
  {"id": "deepseek-reasoner", "name": "DeepSeek Reasoner", "provider": "deepseek", "contextWindow": 64000, "maxOutput": 8192, "supportsVision": false, "supportsTools": true, "supportsWebSearch": false}
]

"""####
        ),
        (
            "plans.json",
            ####"""
[
  {"id": "starter", "name": "Starter", "features": ["10,000 battery units", "1,000 units a day"]},
  {"id": "daily", "name": "Daily", "features": ["50,000 battery units", "5,000 units a day"]},
  {"id": "power", "name": "Power", "features": ["100,000 battery units", "10,000 units a day", "Priority support"]},
  {"id": "ultimate", "name": "Ultimate", "features": ["500,000 battery units", "50,000 units a day", "Priority support"]}
]

"""####
        ),
        (
            "scenarios/apple-token-rejected.json",
            ####"""
{
  "title": "Sign-in answers 401 \"Invalid Apple ID token\"",
  "expect": "Show a message and offer a retry",
  "settings": {
    "apple": {
      "tokens": "refused"
    }
  }
}

"""####
        ),
        (
            "scenarios/archived-elsewhere.json",
            ####"""
{
  "title": "isArchived of the most recently updated conversation flips between two lists",
  "expect": "Move it, do not duplicate it",
  "changes": [
    {
      "change": "flipNewestConversations"
    }
  ]
}

"""####
        ),
        (
            "scenarios/bad-signature.json",
            ####"""
{
  "title": "Every access token answers 401 although it has not expired, fresh ones too",
  "expect": "Treat it as expired, and never loop",
  "settings": {
    "tokens": {
      "access": "refused"
    }
  }
}

"""####
        ),
        (
            "scenarios/clock-skew.json",
            ####"""
{
  "title": "The server's clock is 10 minutes ahead; PUT /__admin/clock sets it behind",
  "expect": "Rely on 401, not only on a timer",
  "clock": {
    "advance": "PT10M"
  }
}

"""####
        ),
        (
            "scenarios/deleted-elsewhere.json",
            ####"""
{
  "title": "The most recently updated conversation of each user answers 404",
  "expect": "Leave it and refresh the list",
  "changes": [
    {
      "change": "removeNewestConversations"
    }
  ]
}

"""####
        ),
        (
            "scenarios/double-framed-chunks.json",
            ####"""
{
  "title": "content holds data: {\"content\":\"…\"} and line feeds",
  "expect": "Be defensive",
  "settings": {
    "stream": {
      "content": "doubleFramed"
    }
  }
}

"""####
        ),
        (
            "scenarios/empty-account.json",
            ####"""
{
  "title": "No conversations, subscription and battery null, usage zeros",
  "expect": "Show the empty states",
  "changes": [
    {
      "change": "emptyAccounts"
    }
  ]
}

"""####
        ),
        (
            "scenarios/expired-access-token.json",
            ####"""
{
  "title": "The next protected call answers 401 \"Invalid or expired token\": the clock has moved 900 s",
  "expect": "Refresh once, then repeat the call once",
  "clock": {
    "advance": "PT900S"
  }
}

"""####
        ),
        (
            "scenarios/expired-refresh-token.json",
            ####"""
{
  "title": "A refresh answers 401 \"Invalid refresh token\": the clock has moved 30 days",
  "expect": "Drop the tokens and ask to sign in",
  "clock": {
    "advance": "P30D"
  }
}

"""####
        ),
        (
            "scenarios/file-gone.json",
            ####"""
{
  "title": "Attachment urls answer 404",
  "expect": "Show a placeholder",
  "changes": [
    {
      "change": "removeFiles"
    }
  ]
}

"""####
        ),
        (
            "scenarios/file-no-ranges.json",
            ####"""
{
  "title": "Downloads of files break off halfway once, and ranges are not taken: Accept-Ranges: none",
  "expect": "Start again from the first byte instead of a resume",
  "faults": [
    {"match": {"method": "GET", "path": "/api/v1/files/**"}, "when": {"times": 1}, "effect": {"connection": "truncate"}},
    {"match": {"method": "GET", "path": "/api/v1/files/**"}, "effect": {"range": "none"}}
  ]
}

"""####
        ),
        (
            "scenarios/file-resume.json",
            ####"""
{
  "title": "The next download of a file breaks off halfway; Range and If-Range bring the rest",
  "expect": "Resume with 206 from where it stopped",
  "faults": [
    {"match": {"method": "GET", "path": "/api/v1/files/**"}, "when": {"times": 1}, "effect": {"connection": "truncate"}}
  ]
}

"""####
        ),
        (
            "scenarios/file-without-length.json",
            ####"""
{
  "title": "Files come in chunks, without Content-Length",
  "expect": "Show progress without a total; the end is the last chunk",
  "faults": [
    {"match": {"method": "GET", "path": "/api/v1/files/**"}, "effect": {"framing": "chunked"}}
  ]
}

"""####
        ),
        (
            "scenarios/fractional-dates.json",
            ####"""
{
  "title": "All body dates carry milliseconds",
  "expect": "Accept both forms",
  "settings": {
    "dates": "fractional"
  }
}

"""####
        ),
        (
            "scenarios/future-endpoints-off.json",
            ####"""
{
  "title": "Rows 5 to 11 answer 404",
  "expect": "Hide the features",
  "settings": {
    "futureEndpoints": "off"
  }
}

"""####
        ),
        (
            "scenarios/html-errors.json",
            ####"""
{
  "title": "404, 405 and broken-JSON errors with HTML or empty bodies",
  "expect": "Do not assume JSON on errors",
  "settings": {
    "errors": "html"
  }
}

"""####
        ),
        (
            "scenarios/huge-account.json",
            ####"""
{
  "title": "500 conversations, one of them with 1000 messages",
  "expect": "Lazy lists, paging",
  "changes": [
    {
      "change": "fillAccount"
    }
  ]
}

"""####
        ),
        (
            "scenarios/idle-connection-dead.json",
            ####"""
{
  "title": "The next request on a kept-alive connection that was idle gets no answer: it is half-open",
  "expect": "Time out, and repeat a GET on a fresh connection",
  "faults": [
    {"match": {"connection": "reused"}, "when": {"times": 1}, "effect": {"connection": "stall"}}
  ]
}

"""####
        ),
        (
            "scenarios/incomplete-message.json",
            ####"""
{
  "title": "The list has assistant messages with no text and isComplete false",
  "expect": "Show a retry",
  "changes": [
    {
      "change": "interruptReplies"
    }
  ]
}

"""####
        ),
        (
            "scenarios/keep-alive-closed.json",
            ####"""
{
  "title": "The server closes each connection 50 ms after its answer without saying so: keep-alive looks possible",
  "expect": "Reuse no closed connection; repeat what was lost only if it may be repeated",
  "faults": [
    {"effect": {"connection": "close", "afterMs": 50}}
  ]
}

"""####
        ),
        (
            "scenarios/long-reply.json",
            ####"""
{
  "title": "A reply of 4000 pieces",
  "expect": "Stay responsive",
  "settings": {
    "stream": {
      "pieces": 4000
    }
  }
}

"""####
        ),
        (
            "scenarios/no-email-first-sign-in.json",
            ####"""
{
  "title": "Sign-in answers 400 \"Email required for new users\"",
  "expect": "Keep Apple's first-time user data for a retry",
  "settings": {
    "apple": {
      "email": "withheld"
    }
  }
}

"""####
        ),
        (
            "scenarios/null-last-message.json",
            ####"""
{
  "title": "lastMessage is null",
  "expect": "Show \"no messages\"",
  "changes": [
    {
      "change": "removeMessages"
    }
  ]
}

"""####
        ),
        (
            "scenarios/openapi-shapes.json",
            ####"""
{
  "title": "v1 conversations have userId, lastMessage has conversationId, uploads are wrapped",
  "expect": "Nothing: for clients generated from the OpenAPI file",
  "settings": {
    "shapes": "openapi"
  }
}

"""####
        ),
        (
            "scenarios/past-due.json",
            ####"""
{
  "title": "Every subscription is past_due; the setting omnichat.subscription has the variant incomplete",
  "expect": "Tolerate unknown values",
  "settings": {
    "subscription": "past_due"
  }
}

"""####
        ),
        (
            "scenarios/rate-limit-nearly-spent.json",
            ####"""
{
  "title": "The next answer shows Remaining 2",
  "expect": "Slow down before the 429",
  "settings": {
    "rateLimits": "on"
  },
  "changes": [
    {
      "change": "leaveRequests",
      "count": 3
    }
  ]
}

"""####
        ),
        (
            "scenarios/rate-limited.json",
            ####"""
{
  "title": "The bucket is empty: 429, Remaining 0, Reset at most 60 s away",
  "expect": "Wait until Reset; no blind retry",
  "settings": {
    "rateLimits": "on"
  },
  "changes": [
    {
      "change": "leaveRequests",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/revoked-refresh-token.json",
            ####"""
{
  "title": "A refresh answers 401 \"Refresh token not found\"",
  "expect": "Drop the tokens and ask to sign in",
  "changes": [
    {
      "change": "revokeRefreshTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/server-error.json",
            ####"""
{
  "title": "The next three protected calls answer 500, then all is fine",
  "expect": "Back off; limited retries of GET only",
  "settings": {
    "serverErrors": 3
  }
}

"""####
        ),
        (
            "scenarios/slow-first-token.json",
            ####"""
{
  "title": "message_start comes at once, the first piece after 12 s",
  "expect": "Show progress; no idle timeout below 30 s",
  "settings": {
    "stream": {
      "firstTokenMs": 12000
    }
  }
}

"""####
        ),
        (
            "scenarios/stalled-stream.json",
            ####"""
{
  "title": "Five pieces, then silence on an open connection",
  "expect": "Idle timeout, offer a retry",
  "settings": {
    "stream": {
      "stallAfterPieces": 5
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-coalesced.json",
            ####"""
{
  "title": "Several events share one HTTP chunk",
  "expect": "Split on blank lines",
  "settings": {
    "stream": {
      "framing": "coalesced"
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-cut-midway.json",
            ####"""
{
  "title": "Five pieces, then the connection drops without the final chunk",
  "expect": "Mark the message incomplete; do not treat it as finished",
  "settings": {
    "stream": {
      "cutAfterPieces": 5
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-error-event.json",
            ####"""
{
  "title": "Five pieces, then the error event, a clean end, no [DONE]",
  "expect": "Show the failure; keep or drop the partial text visibly",
  "settings": {
    "stream": {
      "failAfterPieces": 5
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-no-done.json",
            ####"""
{
  "title": "message_complete and a clean end, but no [DONE]",
  "expect": "Accept message_complete as the end",
  "settings": {
    "stream": {
      "done": "missing"
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-one-byte.json",
            ####"""
{
  "title": "One byte per HTTP chunk",
  "expect": "Buffer bytes, decode per event",
  "settings": {
    "stream": {
      "framing": "oneByte"
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-split-utf8.json",
            ####"""
{
  "title": "HTTP chunks are cut inside characters and inside data:",
  "expect": "Buffer bytes, decode per event",
  "settings": {
    "stream": {
      "framing": "splitUtf8"
    }
  }
}

"""####
        ),
        (
            "scenarios/stream-unknown-type.json",
            ####"""
{
  "title": "An extra {\"type\":\"ping\"} event",
  "expect": "Ignore unknown types",
  "settings": {
    "stream": {
      "extraEvents": "ping"
    }
  }
}

"""####
        ),
        (
            "scenarios/unicode.json",
            ####"""
{
  "title": "Emoji with joiners, right-to-left, combining marks, U+2028",
  "expect": "No cut characters",
  "changes": [
    {
      "change": "addUnicode"
    }
  ]
}

"""####
        ),
        (
            "scenarios/unknown-model.json",
            ####"""
{
  "title": "Creation answers 200; the stream is message_start, error; JSON answers 500",
  "expect": "Offer another model",
  "settings": {
    "generation": "off"
  }
}

"""####
        ),
        (
            "scenarios/upload-rate-limited.json",
            ####"""
{
  "title": "Uploads answer 429, other routes are fine",
  "expect": "Queue uploads",
  "settings": {
    "rateLimits": "on"
  },
  "changes": [
    {
      "change": "leaveUploads",
      "count": 0
    }
  ]
}

"""####
        ),
        (
            "scenarios/upload-too-large.json",
            ####"""
{
  "title": "Files over 1 KiB answer 400 (and bodies over 11 MiB 413, as always)",
  "expect": "Check the size first",
  "settings": {
    "upload": {
      "limitBytes": 1024
    }
  }
}

"""####
        ),
        (
            "scenarios/user-deleted.json",
            ####"""
{
  "title": "Protected calls answer 401 \"User not found\", a refresh 404",
  "expect": "Sign out",
  "settings": {
    "accounts": "deleted"
  }
}

"""####
        ),
        (
            "transactions.json",
            ####"""
[
  {"id": "tx_power_000000000001", "userId": "user_power_account_01", "type": "subscription", "amount": 100000, "balanceAfter": 100000, "createdAt": "T0-P150D", "description": "Power plan, annual"},
  {"id": "tx_power_000000000002", "userId": "user_power_account_01", "type": "usage", "amount": -21000, "balanceAfter": 79000, "createdAt": "T0-P120D", "description": "Messages"},
  {"id": "tx_power_000000000003", "userId": "user_power_account_01", "type": "usage", "amount": -18000, "balanceAfter": 61000, "createdAt": "T0-P90D", "description": "Messages"},
  {"id": "tx_power_000000000004", "userId": "user_power_account_01", "type": "bonus", "amount": 500, "balanceAfter": 61500, "createdAt": "T0-P80D", "description": "Welcome back bonus"},
  {"id": "tx_power_000000000005", "userId": "user_power_account_01", "type": "usage", "amount": -9500, "balanceAfter": 52000, "createdAt": "T0-P60D", "description": "Messages"},
  {"id": "tx_power_000000000006", "userId": "user_power_account_01", "type": "purchase", "amount": 10000, "balanceAfter": 62000, "createdAt": "T0-P50D", "description": "Top-up 10,000 units"},
  {"id": "tx_power_000000000007", "userId": "user_power_account_01", "type": "usage", "amount": -6000, "balanceAfter": 56000, "createdAt": "T0-P40D", "description": "Messages"},
  {"id": "tx_power_000000000008", "userId": "user_power_account_01", "type": "refund", "amount": 1000, "balanceAfter": 57000, "createdAt": "T0-P35D", "description": "Refund for failed replies"},
  {"id": "tx_power_000000000009", "userId": "user_power_account_01", "type": "usage", "amount": -5000, "balanceAfter": 52000, "createdAt": "T0-P28D", "description": "Messages"},
  {"id": "tx_power_000000000010", "userId": "user_power_account_01", "type": "subscription_upgrade", "amount": 3000, "balanceAfter": 55000, "createdAt": "T0-P25D", "description": "Upgrade to annual billing"},
  {"id": "tx_power_000000000011", "userId": "user_power_account_01", "type": "usage", "amount": -4000, "balanceAfter": 51000, "createdAt": "T0-P18D", "description": "Messages"},
  {"id": "tx_power_000000000012", "userId": "user_power_account_01", "type": "usage", "amount": -3500, "balanceAfter": 47500, "createdAt": "T0-P12D"},
  {"id": "tx_power_000000000013", "userId": "user_power_account_01", "type": "usage", "amount": -3300, "balanceAfter": 44200, "createdAt": "T0-P5D", "description": "Messages"},
  {"id": "tx_power_000000000014", "userId": "user_power_account_01", "type": "usage", "amount": -2200, "balanceAfter": 42000, "createdAt": "T0-P1D", "description": "Messages"}
]

"""####
        ),
        (
            "usage.json",
            ####"""
[
  {"id": "user_power_account_01/D0-0", "userId": "user_power_account_01", "day": "D0", "batteryUsed": 40, "messages": 3, "models": [{"model": "gpt-4o-mini", "count": 3}]},
  {"id": "user_power_account_01/D0-1", "userId": "user_power_account_01", "day": "D0-P1D", "batteryUsed": 77, "messages": 10, "models": [{"model": "gpt-4o", "count": 7}, {"model": "gemini-2.0-flash", "count": 3}]},
  {"id": "user_power_account_01/D0-2", "userId": "user_power_account_01", "day": "D0-P2D", "batteryUsed": 114, "messages": 6, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 4}, {"model": "deepseek-chat", "count": 2}]},
  {"id": "user_power_account_01/D0-3", "userId": "user_power_account_01", "day": "D0-P3D", "batteryUsed": 151, "messages": 13, "models": [{"model": "gemini-2.0-flash", "count": 12}, {"model": "gpt-4.1", "count": 1}]},
  {"id": "user_power_account_01/D0-4", "userId": "user_power_account_01", "day": "D0-P4D", "batteryUsed": 188, "messages": 9, "models": [{"model": "deepseek-chat", "count": 9}]},
  {"id": "user_power_account_01/D0-5", "userId": "user_power_account_01", "day": "D0-P5D", "batteryUsed": 65, "messages": 5, "models": [{"model": "gpt-4.1", "count": 2}, {"model": "gpt-4o", "count": 3}]},
  {"id": "user_power_account_01/D0-6", "userId": "user_power_account_01", "day": "D0-P6D", "batteryUsed": 102, "messages": 12, "models": [{"model": "gpt-4o-mini", "count": 10}, {"model": "claude-3-5-sonnet-20241022", "count": 2}]},
  {"id": "user_power_account_01/D0-7", "userId": "user_power_account_01", "day": "D0-P7D", "batteryUsed": 139, "messages": 8, "models": [{"model": "gpt-4o", "count": 7}, {"model": "gemini-2.0-flash", "count": 1}]},
  {"id": "user_power_account_01/D0-8", "userId": "user_power_account_01", "day": "D0-P8D", "batteryUsed": 176, "messages": 4, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 4}]},
  {"id": "user_power_account_01/D0-9", "userId": "user_power_account_01", "day": "D0-P9D", "batteryUsed": 53, "messages": 11, "models": [{"model": "gemini-2.0-flash", "count": 8}, {"model": "gpt-4.1", "count": 3}]},
  {"id": "user_power_account_01/D0-10", "userId": "user_power_account_01", "day": "D0-P10D", "batteryUsed": 90, "messages": 7, "models": [{"model": "deepseek-chat", "count": 5}, {"model": "gpt-4o-mini", "count": 2}]},
  {"id": "user_power_account_01/D0-11", "userId": "user_power_account_01", "day": "D0-P11D", "batteryUsed": 127, "messages": 3, "models": [{"model": "gpt-4.1", "count": 2}, {"model": "gpt-4o", "count": 1}]},
  {"id": "user_power_account_01/D0-12", "userId": "user_power_account_01", "day": "D0-P12D", "batteryUsed": 164, "messages": 10, "models": [{"model": "gpt-4o-mini", "count": 10}]},
  {"id": "user_power_account_01/D0-13", "userId": "user_power_account_01", "day": "D0-P13D", "batteryUsed": 41, "messages": 6, "models": [{"model": "gpt-4o", "count": 3}, {"model": "gemini-2.0-flash", "count": 3}]},
  {"id": "user_power_account_01/D0-14", "userId": "user_power_account_01", "day": "D0-P14D", "batteryUsed": 78, "messages": 13, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 11}, {"model": "deepseek-chat", "count": 2}]},
  {"id": "user_power_account_01/D0-15", "userId": "user_power_account_01", "day": "D0-P15D", "batteryUsed": 115, "messages": 9, "models": [{"model": "gemini-2.0-flash", "count": 8}, {"model": "gpt-4.1", "count": 1}]},
  {"id": "user_power_account_01/D0-16", "userId": "user_power_account_01", "day": "D0-P16D", "batteryUsed": 152, "messages": 5, "models": [{"model": "deepseek-chat", "count": 5}]},
  {"id": "user_power_account_01/D0-17", "userId": "user_power_account_01", "day": "D0-P17D", "batteryUsed": 189, "messages": 12, "models": [{"model": "gpt-4.1", "count": 9}, {"model": "gpt-4o", "count": 3}]},
  {"id": "user_power_account_01/D0-18", "userId": "user_power_account_01", "day": "D0-P18D", "batteryUsed": 66, "messages": 8, "models": [{"model": "gpt-4o-mini", "count": 6}, {"model": "claude-3-5-sonnet-20241022", "count": 2}]},
  {"id": "user_power_account_01/D0-19", "userId": "user_power_account_01", "day": "D0-P19D", "batteryUsed": 103, "messages": 4, "models": [{"model": "gpt-4o", "count": 3}, {"model": "gemini-2.0-flash", "count": 1}]},
  {"id": "user_power_account_01/D0-20", "userId": "user_power_account_01", "day": "D0-P20D", "batteryUsed": 140, "messages": 11, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 11}]},
  {"id": "user_power_account_01/D0-21", "userId": "user_power_account_01", "day": "D0-P21D", "batteryUsed": 177, "messages": 7, "models": [{"model": "gemini-2.0-flash", "count": 4}, {"model": "gpt-4.1", "count": 3}]},
  {"id": "user_power_account_01/D0-22", "userId": "user_power_account_01", "day": "D0-P22D", "batteryUsed": 54, "messages": 3, "models": [{"model": "deepseek-chat", "count": 1}, {"model": "gpt-4o-mini", "count": 2}]},
  {"id": "user_power_account_01/D0-23", "userId": "user_power_account_01", "day": "D0-P23D", "batteryUsed": 91, "messages": 10, "models": [{"model": "gpt-4.1", "count": 9}, {"model": "gpt-4o", "count": 1}]},
  {"id": "user_power_account_01/D0-24", "userId": "user_power_account_01", "day": "D0-P24D", "batteryUsed": 128, "messages": 6, "models": [{"model": "gpt-4o-mini", "count": 6}]},
  {"id": "user_power_account_01/D0-25", "userId": "user_power_account_01", "day": "D0-P25D", "batteryUsed": 165, "messages": 13, "models": [{"model": "gpt-4o", "count": 10}, {"model": "gemini-2.0-flash", "count": 3}]},
  {"id": "user_power_account_01/D0-26", "userId": "user_power_account_01", "day": "D0-P26D", "batteryUsed": 42, "messages": 9, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 7}, {"model": "deepseek-chat", "count": 2}]},
  {"id": "user_power_account_01/D0-27", "userId": "user_power_account_01", "day": "D0-P27D", "batteryUsed": 79, "messages": 5, "models": [{"model": "gemini-2.0-flash", "count": 4}, {"model": "gpt-4.1", "count": 1}]},
  {"id": "user_power_account_01/D0-28", "userId": "user_power_account_01", "day": "D0-P28D", "batteryUsed": 116, "messages": 12, "models": [{"model": "deepseek-chat", "count": 12}]},
  {"id": "user_power_account_01/D0-29", "userId": "user_power_account_01", "day": "D0-P29D", "batteryUsed": 153, "messages": 8, "models": [{"model": "gpt-4.1", "count": 5}, {"model": "gpt-4o", "count": 3}]},
  {"id": "user_power_account_01/D0-30", "userId": "user_power_account_01", "day": "D0-P30D", "batteryUsed": 190, "messages": 4, "models": [{"model": "gpt-4o-mini", "count": 2}, {"model": "claude-3-5-sonnet-20241022", "count": 2}]},
  {"id": "user_power_account_01/D0-31", "userId": "user_power_account_01", "day": "D0-P31D", "batteryUsed": 67, "messages": 11, "models": [{"model": "gpt-4o", "count": 10}, {"model": "gemini-2.0-flash", "count": 1}]},
  {"id": "user_power_account_01/D0-32", "userId": "user_power_account_01", "day": "D0-P32D", "batteryUsed": 104, "messages": 7, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 7}]},
  {"id": "user_power_account_01/D0-33", "userId": "user_power_account_01", "day": "D0-P33D", "batteryUsed": 141, "messages": 3, "models": [{"model": "gemini-2.0-flash", "count": 0}, {"model": "gpt-4.1", "count": 3}]},
  {"id": "user_power_account_01/D0-34", "userId": "user_power_account_01", "day": "D0-P34D", "batteryUsed": 178, "messages": 10, "models": [{"model": "deepseek-chat", "count": 8}, {"model": "gpt-4o-mini", "count": 2}]},
  {"id": "user_power_account_01/D0-35", "userId": "user_power_account_01", "day": "D0-P35D", "batteryUsed": 55, "messages": 6, "models": [{"model": "gpt-4.1", "count": 5}, {"model": "gpt-4o", "count": 1}]},
  {"id": "user_power_account_01/D0-36", "userId": "user_power_account_01", "day": "D0-P36D", "batteryUsed": 92, "messages": 13, "models": [{"model": "gpt-4o-mini", "count": 13}]},
  {"id": "user_power_account_01/D0-37", "userId": "user_power_account_01", "day": "D0-P37D", "batteryUsed": 129, "messages": 9, "models": [{"model": "gpt-4o", "count": 6}, {"model": "gemini-2.0-flash", "count": 3}]},
  {"id": "user_power_account_01/D0-38", "userId": "user_power_account_01", "day": "D0-P38D", "batteryUsed": 166, "messages": 5, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 3}, {"model": "deepseek-chat", "count": 2}]},
  {"id": "user_power_account_01/D0-39", "userId": "user_power_account_01", "day": "D0-P39D", "batteryUsed": 43, "messages": 12, "models": [{"model": "gemini-2.0-flash", "count": 11}, {"model": "gpt-4.1", "count": 1}]},
  {"id": "user_power_account_01/D0-40", "userId": "user_power_account_01", "day": "D0-P40D", "batteryUsed": 80, "messages": 8, "models": [{"model": "deepseek-chat", "count": 8}]},
  {"id": "user_power_account_01/D0-41", "userId": "user_power_account_01", "day": "D0-P41D", "batteryUsed": 117, "messages": 4, "models": [{"model": "gpt-4.1", "count": 1}, {"model": "gpt-4o", "count": 3}]},
  {"id": "user_power_account_01/D0-42", "userId": "user_power_account_01", "day": "D0-P42D", "batteryUsed": 154, "messages": 11, "models": [{"model": "gpt-4o-mini", "count": 9}, {"model": "claude-3-5-sonnet-20241022", "count": 2}]},
  {"id": "user_power_account_01/D0-43", "userId": "user_power_account_01", "day": "D0-P43D", "batteryUsed": 191, "messages": 7, "models": [{"model": "gpt-4o", "count": 6}, {"model": "gemini-2.0-flash", "count": 1}]},
  {"id": "user_power_account_01/D0-44", "userId": "user_power_account_01", "day": "D0-P44D", "batteryUsed": 68, "messages": 3, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 3}]},
  {"id": "user_test_icloud_0001/D0-1", "userId": "user_test_icloud_0001", "day": "D0-P1D", "batteryUsed": 18, "messages": 4, "models": [{"model": "claude-3-5-sonnet-20241022", "count": 4}]},
  {"id": "user_test_icloud_0001/D0-9", "userId": "user_test_icloud_0001", "day": "D0-P9D", "batteryUsed": 5, "messages": 2, "models": [{"model": "gpt-4o", "count": 2}]}
]

"""####
        ),
        (
            "users.json",
            ####"""
[
  {"id": "user_test_icloud_0001", "email": "test@icloud.com", "name": "Test User", "tier": "free", "createdAt": "T0-P60D", "battery": {"totalBalance": 1000, "dailyAllowance": 200, "lastDailyReset": "D0"}},
  {"id": "user_empty_account_01", "email": "empty@omnichat.test", "name": "Empty Account", "tier": "free", "createdAt": "T0-P1D"},
  {"id": "user_power_account_01", "email": "power@omnichat.test", "name": "Power Account", "imageUrl": "https://images.omnichat.test/power.png", "tier": "paid", "createdAt": "T0-P400D", "subscription": {"id": "sub_power_00000000001", "planId": "power", "status": "active", "currentPeriodEnd": "T0+P210D", "billingInterval": "annual"}, "battery": {"totalBalance": 42000, "dailyAllowance": 10000, "lastDailyReset": "D0"}},
  {"id": "user_other_account_01", "email": "other@omnichat.test", "name": "Other Account", "tier": "free", "createdAt": "T0-P20D"},
  {"id": "user_edge_account_001", "email": "edge@omnichat.test", "name": "Edge Account", "tier": "paid", "createdAt": "T0-P90D", "subscription": {"id": "sub_edge_000000000001", "planId": "starter", "status": "trialing", "currentPeriodEnd": "T0+P7D", "billingInterval": "monthly"}, "battery": {"totalBalance": 10000, "dailyAllowance": 1000, "lastDailyReset": "D0"}},
  {"id": "user_lapsed_account_1", "email": "lapsed@omnichat.test", "name": "Lapsed Account", "tier": "paid", "createdAt": "T0-P300D", "subscription": {"id": "sub_lapsed_0000000001", "planId": "daily", "status": "past_due", "currentPeriodEnd": "T0-P5D", "billingInterval": "monthly"}, "battery": {"totalBalance": 0, "dailyAllowance": 0, "lastDailyReset": "D0-P5D"}}
]

"""####
        ),
    ]
}

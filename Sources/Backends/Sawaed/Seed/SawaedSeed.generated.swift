// Made by scripts/embed-seeds from seeds/sawaed; do not edit.
// swift-format-ignore-file

extension SawaedAPI {
    /// The name and the text of each file, in the order of the names.
    package static let builtInSeed: [(name: String, text: String)] = [
        (
            "ai-configs.json",
            ####"""
[
  {"id": "aiconfig_layla", "userId": "user_layla", "aiSkillId": "aiskill_digital", "preferredLanguage": "ar", "createdAt": "D0-P30D", "updatedAt": "D0-P30D"}
]

"""####
        ),
        (
            "ai-skills.json",
            ####"""
[
  {"id": "aiskill_creativity", "name": {"en": "Creativity", "ar": "الإبداع"}, "category": "creativity", "definition": {"en": "Finding new ways to solve a problem or to express an idea.", "ar": "إيجاد طرق جديدة لحل مشكلة أو للتعبير عن فكرة."}, "levels": [{"level": 1, "name": {"en": "Beginner", "ar": "مبتدئ"}}, {"level": 2, "name": {"en": "Basic", "ar": "أساسي"}}, {"level": 3, "name": {"en": "Intermediate", "ar": "متوسط"}}, {"level": 4, "name": {"en": "Advanced", "ar": "متقدم"}}, {"level": 5, "name": {"en": "Expert", "ar": "خبير"}}], "relatedSkillIds": ["skill_design"], "relatedInterestIds": ["interest_heritage"], "createdAt": "D0-P30D"},
  {"id": "aiskill_data", "name": {"en": "Data literacy", "ar": "الثقافة البياناتية"}, "category": "data", "definition": {"en": "Reading, questioning and using data.", "ar": "قراءة البيانات ومساءلتها واستخدامها."}, "levels": [{"level": 1, "name": {"en": "Beginner", "ar": "مبتدئ"}}, {"level": 2, "name": {"en": "Basic", "ar": "أساسي"}}, {"level": 3, "name": {"en": "Intermediate", "ar": "متوسط"}}, {"level": 4, "name": {"en": "Advanced", "ar": "متقدم"}}, {"level": 5, "name": {"en": "Expert", "ar": "خبير"}}], "relatedSkillIds": ["skill_data_analysis"], "relatedInterestIds": [], "createdAt": "D0-P29DT23H59M59.999S"},
  {"id": "aiskill_problem", "name": {"en": "Problem solving", "ar": "حل المشكلات"}, "category": "thinking", "definition": {"en": "Taking a problem apart and working towards a solution.", "ar": "تفكيك المشكلة والعمل خطوة بخطوة نحو حلها."}, "levels": [{"level": 1, "name": {"en": "Beginner", "ar": "مبتدئ"}}, {"level": 2, "name": {"en": "Basic", "ar": "أساسي"}}, {"level": 3, "name": {"en": "Intermediate", "ar": "متوسط"}}, {"level": 4, "name": {"en": "Advanced", "ar": "متقدم"}}, {"level": 5, "name": {"en": "Expert", "ar": "خبير"}}], "relatedSkillIds": [], "relatedInterestIds": [], "createdAt": "D0-P29DT23H59M59.998S"},
  {"id": "aiskill_critical", "name": {"en": "Critical thinking", "ar": "التفكير الناقد"}, "category": "thinking", "definition": {"en": "Weighing claims and sources before believing them.", "ar": "وزن الادعاءات والمصادر قبل تصديقها."}, "levels": [{"level": 1, "name": {"en": "Beginner", "ar": "مبتدئ"}}, {"level": 2, "name": {"en": "Basic", "ar": "أساسي"}}, {"level": 3, "name": {"en": "Intermediate", "ar": "متوسط"}}, {"level": 4, "name": {"en": "Advanced", "ar": "متقدم"}}, {"level": 5, "name": {"en": "Expert", "ar": "خبير"}}], "relatedSkillIds": [], "relatedInterestIds": [], "createdAt": "D0-P29DT23H59M59.997S"},
  {"id": "aiskill_digital", "name": {"en": "Digital skills", "ar": "المهارات الرقمية"}, "category": "ict", "definition": {"en": "Using digital tools safely and well.", "ar": "استخدام الأدوات الرقمية بأمان وإتقان."}, "levels": [{"level": 1, "name": {"en": "Beginner", "ar": "مبتدئ"}}, {"level": 2, "name": {"en": "Basic", "ar": "أساسي"}}, {"level": 3, "name": {"en": "Intermediate", "ar": "متوسط"}}, {"level": 4, "name": {"en": "Advanced", "ar": "متقدم"}}, {"level": 5, "name": {"en": "Expert", "ar": "خبير"}}], "relatedSkillIds": ["skill_programming"], "relatedInterestIds": ["interest_robotics"], "createdAt": "D0-P29DT23H59M59.996S"}
]

"""####
        ),
        (
            "assessments.json",
            ####"""
[
  {"id": "assessment_layla3", "userId": "user_layla", "aiSkillId": "aiskill_problem", "level": 1, "confidence": 0.6, "createdAt": "D0-P30D"},
  {"id": "assessment_layla2", "userId": "user_layla", "aiSkillId": "aiskill_critical", "level": 2, "confidence": 0.7, "createdAt": "D0-P29DT23H59M59.999S"},
  {"id": "assessment_layla1", "userId": "user_layla", "aiSkillId": "aiskill_digital", "level": 3, "confidence": 0.8, "createdAt": "D0-P29DT23H59M59.998S"}
]

"""####
        ),
        (
            "awards.json",
            ####"""
[

]

"""####
        ),
        (
            "cities.json",
            ####"""
[
  {"id": "city_muscat", "regionId": "region_muscat", "name": {"en": "Muscat", "ar": "مسقط"}},
  {"id": "city_muttrah", "regionId": "region_muscat", "name": {"en": "Muttrah", "ar": "مطرح"}},
  {"id": "city_bawshar", "regionId": "region_muscat", "name": {"en": "Bawshar", "ar": "بوشر"}},
  {"id": "city_seeb", "regionId": "region_muscat", "name": {"en": "Seeb", "ar": "السيب"}},
  {"id": "city_amerat", "regionId": "region_muscat", "name": {"en": "Al Amerat", "ar": "العامرات"}},
  {"id": "city_qurayyat", "regionId": "region_muscat", "name": {"en": "Qurayyat", "ar": "قريات"}},
  {"id": "city_salalah", "regionId": "region_dhofar", "name": {"en": "Salalah", "ar": "صلالة"}},
  {"id": "city_taqah", "regionId": "region_dhofar", "name": {"en": "Taqah", "ar": "طاقة"}},
  {"id": "city_mirbat", "regionId": "region_dhofar", "name": {"en": "Mirbat", "ar": "مرباط"}},
  {"id": "city_khasab", "regionId": "region_musandam", "name": {"en": "Khasab", "ar": "خصب"}},
  {"id": "city_dibba", "regionId": "region_musandam", "name": {"en": "Dibba", "ar": "دبا"}},
  {"id": "city_buraimi", "regionId": "region_buraimi", "name": {"en": "Al Buraimi", "ar": "البريمي"}},
  {"id": "city_mahdah", "regionId": "region_buraimi", "name": {"en": "Mahdah", "ar": "محضة"}},
  {"id": "city_nizwa", "regionId": "region_dakhiliyah", "name": {"en": "Nizwa", "ar": "نزوى"}},
  {"id": "city_bahla", "regionId": "region_dakhiliyah", "name": {"en": "Bahla", "ar": "بهلا"}},
  {"id": "city_samail", "regionId": "region_dakhiliyah", "name": {"en": "Samail", "ar": "سمائل"}},
  {"id": "city_sohar", "regionId": "region_batinah_north", "name": {"en": "Sohar", "ar": "صحار"}},
  {"id": "city_shinas", "regionId": "region_batinah_north", "name": {"en": "Shinas", "ar": "شناص"}},
  {"id": "city_saham", "regionId": "region_batinah_north", "name": {"en": "Saham", "ar": "صحم"}},
  {"id": "city_rustaq", "regionId": "region_batinah_south", "name": {"en": "Rustaq", "ar": "الرستاق"}},
  {"id": "city_barka", "regionId": "region_batinah_south", "name": {"en": "Barka", "ar": "بركاء"}},
  {"id": "city_sur", "regionId": "region_sharqiyah_south", "name": {"en": "Sur", "ar": "صور"}},
  {"id": "city_masirah", "regionId": "region_sharqiyah_south", "name": {"en": "Masirah", "ar": "مصيرة"}},
  {"id": "city_ibra", "regionId": "region_sharqiyah_north", "name": {"en": "Ibra", "ar": "إبراء"}},
  {"id": "city_bidiyah", "regionId": "region_sharqiyah_north", "name": {"en": "Bidiyah", "ar": "بدية"}},
  {"id": "city_ibri", "regionId": "region_dhahirah", "name": {"en": "Ibri", "ar": "عبري"}},
  {"id": "city_yanqul", "regionId": "region_dhahirah", "name": {"en": "Yanqul", "ar": "ينقل"}},
  {"id": "city_haima", "regionId": "region_wusta", "name": {"en": "Haima", "ar": "هيما"}},
  {"id": "city_duqm", "regionId": "region_wusta", "name": {"en": "Duqm", "ar": "الدقم"}}
]

"""####
        ),
        (
            "education.json",
            ####"""
[
  {"id": "education_layla1", "userId": "user_layla", "institution": "Sample University", "degree": "BSc", "field": "Computing", "startYear": 2022, "endYear": "Present", "createdAt": "D0-P30D", "updatedAt": "D0-P30D"}
]

"""####
        ),
        (
            "events.json",
            ####"""
[
  {"id": "event_open_hackathon", "title": {"en": "Coding Weekend", "ar": "عطلة البرمجة"}, "description": {"en": "Three days of building apps together.", "ar": "ثلاثة أيام نبني فيها التطبيقات معاً."}, "regionId": "region_muscat", "cityId": "city_seeb", "startsAt": "D0+P10DT5H", "endsAt": "D0+P12DT14H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 40, "maxRegistrationsPerUser": 2, "registrationsOpenDate": "D0-P10D", "registrationsCloseDate": "D0+P9D", "posterStorageId": "poster_default"},
  {"id": "event_open_unlimited", "title": {"en": "Beach Clean-up", "ar": "تنظيف الشاطئ"}, "description": {"en": "We clean the beach before it gets hot.", "ar": "ننظف الشاطئ قبل أن يشتد الحر."}, "regionId": "region_sharqiyah_south", "cityId": "city_sur", "startsAt": "D0+P7DT4H", "endsAt": "D0+P7DT8H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test"},
  {"id": "event_full_sohar", "title": {"en": "Robotics Lab", "ar": "مختبر الروبوتات"}, "description": {"en": "Build and drive a small robot.", "ar": "ابنِ روبوتاً صغيراً وقُده."}, "regionId": "region_batinah_north", "cityId": "city_sohar", "startsAt": "D0+P8DT5H", "endsAt": "D0+P8DT11H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 2},
  {"id": "event_waitlist_nizwa", "title": {"en": "Heritage Walk", "ar": "جولة تراثية"}, "description": {"en": "A walk through the old town.", "ar": "جولة في المدينة القديمة."}, "regionId": "region_dakhiliyah", "cityId": "city_nizwa", "startsAt": "D0+P9DT5H", "endsAt": "D0+P9DT9H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": true, "contact": "events@sawaed.test", "capacity": 2},
  {"id": "event_lastseat_barka", "title": {"en": "Design Sprint", "ar": "سباق التصميم"}, "description": {"en": "From an idea to a tested sketch in a day.", "ar": "من الفكرة إلى مخطط مجرّب في يوم واحد."}, "regionId": "region_batinah_south", "cityId": "city_barka", "startsAt": "D0+P11DT6H", "endsAt": "D0+P11DT13H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 3},
  {"id": "event_approval_salalah", "title": {"en": "Mentoring Day", "ar": "يوم الإرشاد"}, "description": {"en": "Talk to people who work in your field.", "ar": "تحدث مع من يعملون في مجالك."}, "regionId": "region_dhofar", "cityId": "city_salalah", "startsAt": "D0+P14DT6H", "endsAt": "D0+P14DT12H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "approval", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 10},
  {"id": "event_approvalfull_ibri", "title": {"en": "Business Clinic", "ar": "عيادة الأعمال"}, "description": {"en": "Bring a business idea and leave with a plan.", "ar": "أحضر فكرة مشروع واخرج بخطة."}, "regionId": "region_dhahirah", "cityId": "city_ibri", "startsAt": "D0+P15DT6H", "endsAt": "D0+P15DT10H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "approval", "allowWaitlist": true, "contact": "events@sawaed.test", "capacity": 1},
  {"id": "event_invite_muscat", "title": {"en": "Leaders Forum", "ar": "ملتقى القادة"}, "description": {"en": "A round table of youth leaders.", "ar": "طاولة مستديرة لقادة الشباب."}, "regionId": "region_muscat", "cityId": "city_bawshar", "startsAt": "D0+P16DT6H", "endsAt": "D0+P16DT12H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "inviteOnly", "allowWaitlist": false, "contact": "events@sawaed.test"},
  {"id": "event_notopen_duqm", "title": {"en": "Port Visit", "ar": "زيارة الميناء"}, "description": {"en": "A look behind the gates of the port.", "ar": "نظرة خلف بوابات الميناء."}, "regionId": "region_wusta", "cityId": "city_duqm", "startsAt": "D0+P30DT5H", "endsAt": "D0+P30DT11H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "registrationsOpenDate": "D0+P5D"},
  {"id": "event_closed_khasab", "title": {"en": "Dolphin Survey", "ar": "رصد الدلافين"}, "description": {"en": "Count dolphins from a boat.", "ar": "عدّ الدلافين من على متن قارب."}, "regionId": "region_musandam", "cityId": "city_khasab", "startsAt": "D0+P3DT5H", "endsAt": "D0+P3DT10H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "registrationsCloseDate": "D0-P1D"},
  {"id": "event_past_muttrah", "title": {"en": "Souq Photography", "ar": "تصوير السوق"}, "description": {"en": "A morning with a camera in the market.", "ar": "صباح مع الكاميرا في السوق."}, "regionId": "region_muscat", "cityId": "city_muttrah", "startsAt": "D0-P19DT19H", "endsAt": "D0-P19DT14H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test"},
  {"id": "event_registered_rustaq", "title": {"en": "First Aid Course", "ar": "دورة الإسعافات"}, "description": {"en": "What to do until help comes.", "ar": "ما تفعله حتى تصل المساعدة."}, "regionId": "region_batinah_south", "cityId": "city_rustaq", "startsAt": "D0+P6DT5H", "endsAt": "D0+P6DT10H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 20},
  {"id": "event_rejected_buraimi", "title": {"en": "Film Workshop", "ar": "ورشة الأفلام"}, "description": {"en": "Shoot a film of one minute.", "ar": "صوّر فيلماً من دقيقة واحدة."}, "regionId": "region_buraimi", "cityId": "city_buraimi", "startsAt": "D0+P18DT12H", "endsAt": "D0+P18DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "approval", "allowWaitlist": false, "contact": "events@sawaed.test"},
  {"id": "event_external_ibra", "title": {"en": "Science Fair", "ar": "معرض العلوم"}, "description": {"en": "Projects of schools and universities.", "ar": "مشاريع المدارس والجامعات."}, "regionId": "region_sharqiyah_north", "cityId": "city_ibra", "startsAt": "D0+P19DT5H", "endsAt": "D0+P19DT13H", "isPublished": true, "isRegistrationRequired": false, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "externalRegistrationUrl": "https://register.sawaed.test/fair"},
  {"id": "event_series_01", "title": {"en": "Youth Workshop 1", "ar": "ورشة الشباب 1"}, "description": {"en": "Meeting 1 of the series.", "ar": "اللقاء 1 من السلسلة."}, "regionId": "region_muscat", "cityId": "city_muttrah", "startsAt": "D0+P21DT14H", "endsAt": "D0+P21DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_02", "title": {"en": "Youth Workshop 2", "ar": "ورشة الشباب 2"}, "description": {"en": "Meeting 2 of the series.", "ar": "اللقاء 2 من السلسلة."}, "regionId": "region_dhofar", "cityId": "city_salalah", "startsAt": "D0+P22DT14H", "endsAt": "D0+P22DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_03", "title": {"en": "Youth Workshop 3", "ar": "ورشة الشباب 3"}, "description": {"en": "Meeting 3 of the series.", "ar": "اللقاء 3 من السلسلة."}, "regionId": "region_batinah_north", "cityId": "city_sohar", "startsAt": "D0+P23DT14H", "endsAt": "D0+P23DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_04", "title": {"en": "Youth Workshop 4", "ar": "ورشة الشباب 4"}, "description": {"en": "Meeting 4 of the series.", "ar": "اللقاء 4 من السلسلة."}, "regionId": "region_dakhiliyah", "cityId": "city_nizwa", "startsAt": "D0+P24DT14H", "endsAt": "D0+P24DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_05", "title": {"en": "Youth Workshop 5", "ar": "ورشة الشباب 5"}, "description": {"en": "Meeting 5 of the series.", "ar": "اللقاء 5 من السلسلة."}, "regionId": "region_sharqiyah_south", "cityId": "city_sur", "startsAt": "D0+P25DT14H", "endsAt": "D0+P25DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_06", "title": {"en": "Youth Workshop 6", "ar": "ورشة الشباب 6"}, "description": {"en": "Meeting 6 of the series.", "ar": "اللقاء 6 من السلسلة."}, "regionId": "region_muscat", "cityId": "city_muttrah", "startsAt": "D0+P26DT14H", "endsAt": "D0+P26DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_07", "title": {"en": "Youth Workshop 7", "ar": "ورشة الشباب 7"}, "description": {"en": "Meeting 7 of the series.", "ar": "اللقاء 7 من السلسلة."}, "regionId": "region_dhofar", "cityId": "city_salalah", "startsAt": "D0+P27DT14H", "endsAt": "D0+P27DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_08", "title": {"en": "Youth Workshop 8", "ar": "ورشة الشباب 8"}, "description": {"en": "Meeting 8 of the series.", "ar": "اللقاء 8 من السلسلة."}, "regionId": "region_batinah_north", "cityId": "city_sohar", "startsAt": "D0+P28DT14H", "endsAt": "D0+P28DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_09", "title": {"en": "Youth Workshop 9", "ar": "ورشة الشباب 9"}, "description": {"en": "Meeting 9 of the series.", "ar": "اللقاء 9 من السلسلة."}, "regionId": "region_dakhiliyah", "cityId": "city_nizwa", "startsAt": "D0+P29DT14H", "endsAt": "D0+P29DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_series_10", "title": {"en": "Youth Workshop 10", "ar": "ورشة الشباب 10"}, "description": {"en": "Meeting 10 of the series.", "ar": "اللقاء 10 من السلسلة."}, "regionId": "region_sharqiyah_south", "cityId": "city_sur", "startsAt": "D0+P30DT14H", "endsAt": "D0+P30DT16H", "isPublished": true, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test", "capacity": 30},
  {"id": "event_draft_hidden", "title": {"en": "Draft Event", "ar": "مسودة"}, "description": {"en": "Not yet announced.", "ar": "لم يُعلن عنه بعد."}, "regionId": "region_muscat", "cityId": "city_muscat", "startsAt": "D0+P40D", "endsAt": "D0+P41D", "isPublished": false, "isRegistrationRequired": true, "registrationPolicy": "open", "allowWaitlist": false, "contact": "events@sawaed.test"}
]

"""####
        ),
        (
            "experiences.json",
            ####"""
[
  {"id": "experience_layla1", "userId": "user_layla", "title": "Volunteer", "organization": "Sample Youth Centre", "createdAt": "D0-P30D", "updatedAt": "D0-P30D"}
]

"""####
        ),
        (
            "files.json",
            ####"""
[
  {"id": "poster_default", "contentType": "image/png", "base64": "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAkCAIAAAC2bqvFAAASiklEQVR42g3U627xAAAG4Pcy3qsUERERERERkaqqrrqqqqqqqq6rOszM2Ry+m/p2Cc+fB0wJTDWZEplqMSUx1WZKZqqDlILUG1IqUl2kNKTekdKR6jFlMNVnymRqwJTF1JApm6kRUg5SY6RcpCZIeUhNkfKRmjEVMDVnKmTqg6mIqU+mYqYWSCVILZFaIbVGaoPUF1JbpL6Z2jH1w9SeqQNTR6ZOTJ2ZuiB1ReqG1C9Sd6QeSD2ReiH1D0wLTDeZFpluMS0x3WZaZrqDtIL0G9Iq0l2kNaTfkdaR7jFtMN1n2mR6wLTF9JBpm+kR0g7SY6RdpCdIe0hPkfaRnjEdMD1nOmT6g+mI6U+mY6YXSCdIL5FeIb1GeoP0F9JbpL+Z3jH9w/Se6QPTR6ZPTJ+ZviB9RfqG9C/Sd6QfSD+RfiH9B8gIzDSZEZlpMSMx02ZGZqaDjILMGzIqMl1kNGTekdGR6TFjMNNnxmRmwIzFzJAZm5kRMg4yY2RcZCbIeMhMkfGRmTETMDNnJmTmg5mImU9mYmYWyCTILJFZIbNGZoPMFzJbZL6Z2THzw8yemQMzR2ZOzJyZuSBzReaGzC8yd2QeyDyReSHzB8gKzDaZFZltMSsx22ZWZraDrILsG7Iqsl1kNWTfkdWR7TFrMNtn1mR2wKzF7JBZm9kRsg6yY2RdZCfIeshOkfWRnTEbMDtnNmT2g9mI2U9mY2YXyCbILpFdIbtGdoPsF7JbZL+Z3TH7w+ye2QOzR2ZPzJ6ZvSB7RfaG7C+yd2QfyD6RfSH7B8gJzDWZE5lrMScx12ZOZq6DnILcG3Iqcl3kNOTekdOR6zFnMNdnzmRuwJzF3JA5m7kRcg5yY+Rc5CbIechNkfORmzEXMDdnLmTug7mIuU/mYuYWyCXILZFbIbdGboPcF3Jb5L6Z2zH3w9yeuQNzR+ZOzJ2ZuyB3Re6G3C9yd+QeyD2ReyH3B8gLzDeZF5lvMS8x32ZeZr6DvIL8G/Iq8l3kNeTfkdeR7zFvMN9n3mR+wLzF/JB5m/kR8g7yY+Rd5CfIe8hPkfeRnzEfMD9nPmT+g/mI+U/mY+YXyCfIL5FfIb9GfoP8F/Jb5L+Z3zH/w/ye+QPzR+ZPzJ+ZvyB/Rf6G/C/yd+QfyD+RfyH/DygIKDRREFFooSCh0EZBRqHDgsLCGwsqC10WNBbeWdBZ6KFgoNBHwURhgIKFwhAFG4URCw4LYxZcFiYseCxMWfBZmKEQoDBHIUThA4UIhU8UYhQWLCQsLFlYsbBmYcPCFwtbFr5R2KHwg8IehQMKRxROKJxRuLBwZeHGwi8LdxYeLDxZeLHwBygKKDZRFFFsoSih2EZRRrHDosLiG4sqi10WNRbfWdRZ7KFooNhH0URxgKKF4hBFG8URiw6LYxZdFicseixOWfRZnKEYoDhHMUTxA8UIxU8UYxQXLCYsLllcsbhmccPiF4tbFr9R3KH4g+IexQOKRxRPKJ5RvLB4ZfHG4i+LdxYfLD5ZfLH4BygJKDVRElFqoSSh1EZJRqnDksLSG0sqS12WNJbeWdJZ6qFkoNRHyURpgJKF0hAlG6URSw5LY5ZcliYseSxNWfJZmqEUoDRHKUTpA6UIpU+UYpQWLCUsLVlasbRmacPSF0tblr5R2qH0g9IepQNKR5ROKJ1RurB0ZenG0i9Ld5YeLD1ZerH0BygLKDdRFlFuoSyh3EZZRrnDssLyG8sqy12WNZbfWdZZ7qFsoNxH2UR5gLKF8hBlG+URyw7LY5ZdlicseyxPWfZZnqEcoDxHOUT5A+UI5U+UY5QXLCcsL1lesbxmecPyF8tblr9R3qH8g/Ie5QPKR5RPKJ9RvrB8ZfnG8i/Ld5YfLD9ZfrH8B6gIqDRREVFpoSKh0kZFRqXDisLKGysqK11WNFbeWdFZ6aFioNJHxURlgIqFyhAVG5URKw4rY1ZcViaseKxMWfFZmaESoDJHJUTlA5UIlU9UYlQWrCSsLFlZsbJmZcPKFytbVr5R2aHyg8oelQMqR1ROqJxRubByZeXGyi8rd1YerDxZebHyB6gKqDZRFVFtoSqh2kZVRrXDqsLqG6sqq11WNVbfWdVZ7aFqoNpH1UR1gKqF6hBVG9URqw6rY1ZdVieseqxOWfVZnaEaoDpHNUT1A9UI1U9UY1QXrCasLlldsbpmdcPqF6tbVr9R3aH6g+oe1QOqR1RPqJ5RvbB6ZfXG6i+rd1YfrD5ZfbH612hNYK3JmshaizWJtTZrMmsd1BTU3lBTUeuipqH2jpqOWo81g7U+ayZrA9Ys1oas2ayNUHNQG6PmojZBzUNtipqP2oy1gLU5ayFrH6xFrH2yFrO2QC1BbYnaCrU1ahvUvlDbovbN2o61H9b2rB1YO7J2Yu3M2gW1K2o31H5Ru6P2QO2J2gu1P0BdYL3Jush6i3WJ9TbrMusd1BXU31BXUe+irqH+jrqOeo91g/U+6ybrA9Yt1oes26yPUHdQH6Puoj5B3UN9irqP+oz1gPU56yHrH6xHrH+yHrO+QD1BfYn6CvU16hvUv1Dfov7N+o71H9b3rB9YP7J+Yv3M+gX1K+o31H9Rv6P+QP2J+gv1P0BDYKPJhshGiw2JjTYbMhsdNBQ03tBQ0eiioaHxjoaORo8Ng40+GyYbAzYsNoZs2GyM0HDQGKPhojFBw0NjioaPxoyNgI05GyEbH2xEbHyyEbOxQCNBY4nGCo01Ghs0vtDYovHNxo6NHzb2bBzYOLJxYuPMxgWNKxo3NH7RuKPxQOOJxguNP4AgUGhSECm0KEgU2hRkCh0ICoQ3CCqELgQNwjsEHUKPgkGhT8GkMKBgURhSsCmMIDgQxhBcCBMIHoQpBB/CjEJAYU4hpPBBIaLwSSGmsICQQFhCWEFYQ9hA+IKwhfBNYUfhh8KewoHCkcKJwpnCBcIVwg3CL4Q7hAeEJ4QXhD+AKFBsUhQptihKFNsUZYodiArEN4gqxC5EDeI7RB1ij6JBsU/RpDigaFEcUrQpjiA6EMcQXYgTiB7EKUQf4oxiQHFOMaT4QTGi+EkxpriAmEBcQlxBXEPcQPyCuIX4TXFH8YfinuKB4pHiieKZ4gXiFeIN4i/EO8QHxCfEF8Q/gCRQalISKbUoSZTalGRKHUgKpDdIKqQuJA3SOyQdUo+SQalPyaQ0oGRRGlKyKY0gOZDGkFxIE0gepCkkH9KMUkBpTimk9EEpovRJKaa0gJRAWkJaQVpD2kD6grSF9E1pR+mH0p7SgdKR0onSmdIF0hXSDdIvpDukB6QnpBekv0ZlAXITsgi5BVmC3IYsQ+5QVii/UVYpdylrlN8p65R7kA3Ifcgm5AFkC/IQsg15RNmhPKbsUp5Q9ihPKfuUZ5ADyHPIIeQPyBHkT8gx5AXlhPKS8orymvKG8hflLeVvyDvIP5D3kA+Qj5BPkM+QL5SvlG+UfynfKT8oPym/KP8BFAFKE4oIpQVFgtKGIkPpUFGovFFRqXSpaFTeqehUelAMKH0oJpQBFAvKEIoNZUTFoTKm4lKZUPGoTKn4VGZQAihzKCGUDygRlE8oMZQFlYTKksqKyprKhsoXlS2Vbyg7KD9Q9lAOUI5QTlDOUC5UrlRuVH6p3Kk8qDypvKj8AVQBahOqCLUFVYLahipD7VBVqL5RVal2qWpU36nqVHtQDah9qCbUAVQL6hCqDXVE1aE6pupSnVD1qE6p+lRnUAOoc6gh1A+oEdRPqDHUBdWE6pLqiuqa6obqF9Ut1W+oO6g/UPdQD1CPUE9Qz1AvVK9Ub1R/qd6pPqg+qb6o/gE0AVoTmgitBU2C1oYmQ+tQU6i9UVOpdalp1N6p6dR60AxofWgmtAE0C9oQmg1tRM2hNqbmUptQ86hNqfnUZtACaHNoIbQPaBG0T2gxtAW1hNqS2oramtqG2he1LbVvaDtoP9D20A7QjtBO0M7QLtSu1G7UfqndqT2oPam9qP0BdAF6E7oIvQVdgt6GLkPvUFeov1FXqXepa9TfqevUe9AN6H3oJvQBdAv6ELoNfUTdoT6m7lKfUPeoT6n71GfQA+hz6CH0D+gR9E/oMfQF9YT6kvqK+pr6hvoX9S31b+g76D/Q99AP0I/QT9DP0C/Ur9Rv1H+p36k/qD+pv6j/AQwBRhOGCKMFQ4LRhiHD6NBQaLzRUGl0aWg03mnoNHowDBh9GCaMAQwLxhCGDWNEw6ExpuHSmNDwaExp+DRmMAIYcxghjA8YEYxPGDGMBY2ExpLGisaaxobGF40tjW8YOxg/MPYwDjCOME4wzjAuNK40bjR+adxpPGg8abxo/DVqCjSbNEWaLZoSzTZNmWYHpgLzDaYKswtTg/kOU4fZo2nQ7NM0aQ5oWjSHNG2aI5gOzDFMF+YEpgdzCtOHOaMZ0JzTDGl+0IxoftKMaS5gJjCXMFcw1zA3ML9gbmF+09zR/KG5p3mgeaR5onmmeYF5hXmD+QvzDvMB8wnzBfMPYAm0mrREWi1aEq02LZlWB5YC6w2WCqsLS4P1DkuH1aNl0OrTMmkNaFm0hrRsWiNYDqwxLBfWBJYHawrLhzWjFdCa0wppfdCKaH3SimktYCWwlrBWsNawNrC+YG1hfdPa0fqhtad1oHWkdaJ1pnWBdYV1g/UL6w7rAesJ6wXrD2ALtJu0Rdot2hLtNm2Zdge2AvsNtgq7C1uD/Q5bh92jbdDu0zZpD2hbtIe0bdoj2A7sMWwX9gS2B3sK24c9ox3QntMOaX/Qjmh/0o5pL2AnsJewV7DXsDewv2BvYX/T3tH+ob2nfaB9pH2ifaZ9gX2FfYP9C/sO+wH7CfsF+w/gCHSadEQ6LToSnTYdmU4HjgLnDY4KpwtHg/MOR4fTo2PQ6dMx6QzoWHSGdGw6IzgOnDEcF84EjgdnCseHM6MT0JnTCel80InofNKJ6SzgJHCWcFZw1nA2cL7gbOF809nR+aGzp3Ogc6RzonOmc4FzhXOD8wvnDucB5wnnBecP4Ap0m3RFui26Et02XZluB64C9w2uCrcLV4P7DleH26Nr0O3TNekO6Fp0h3RtuiO4DtwxXBfuBK4HdwrXhzujG9Cd0w3pftCN6H7Sjeku4CZwl3BXcNdwN3C/4G7hftPd0f2hu6d7oHuke6J7pnuBe4V7g/sL9w73AfcJ9wX3D+AJ9Jr0RHotehK9Nj2ZXgeeAu8NngqvC0+D9w5Ph9ejZ9Dr0zPpDehZ9Ib0bHojeA68MTwX3gSeB28Kz4c3oxfQm9ML6X3Qi+h90ovpLeAl8JbwVvDW8DbwvuBt4X3T29H7obend6B3pHeid6Z3gXeFd4P3C+8O7wHvCe8F769RX4DfhC/Cb8GX4Lfhy/A79BX6b/RV+l36Gv13+jr9HnwDfh++CX8A34I/hG/DH9F36I/pu/Qn9D36U/o+/Rn8AP4cfgj/A34E/xN+DH9BP6G/pL+iv6a/of9Ff0v/G/4O/g/8PfwD/CP8E/wz/Av9K/0b/V/6d/oP+k/6L/p/gEBA0EQgImghkBC0EcgIOgwUBm8MVAZdBhqDdwY6gx4CA0EfgYlggMBCMERgIxgxcBiMGbgMJgw8BlMGPoMZggDBHEGI4ANBhOATQYxgwSBhsGSwYrBmsGHwxWDL4BvBDsEPgj2CA4IjghOCM4ILgyuDG4NfBncGDwZPBi8Gf4BQQNhEKCJsIZQQthHKCDsMFYZvDFWGXYYaw3eGOsMeQgNhH6GJcIDQQjhEaCMcMXQYjhm6DCcMPYZThj7DGcIA4RxhiPADYYTwE2GMcMEwYbhkuGK4Zrhh+MVwy/Ab4Q7hD8I9wgPCI8ITwjPCC8MrwxvDX4Z3hg+GT4Yvhn+ASEDURCQiaiGSELURyYg6jBRGb4xURl1GGqN3RjqjHiIDUR+RiWiAyEI0RGQjGjFyGI0ZuYwmjDxGU0Y+oxmiANEcUYjoA1GE6BNRjGjBKGG0ZLRitGa0YfTFaMvoG9EO0Q+iPaIDoiOiE6IzogujK6Mbo19Gd0YPRk9GL0Z/gFhA3EQsIm4hlhC3EcuIO4wVxm+MVcZdxhrjd8Y64x5iA3EfsYl4gNhCPERsIx4xdhiPGbuMJ4w9xlPGPuMZ4gDxHHGI+ANxhPgTcYx4wThhvGS8YrxmvGH8xXjL+BvxDvEP4j3iA+Ij4hPiM+IL4yvjG+NfxnfGD8ZPxi/Gf4BEQNJEIiJpIZGQtJHISDpMFCZvTFQmXSYak3cmOpMeEgNJH4mJZIDEQjJEYiMZMXGYjJm4TCZMPCZTJj6TGZIAyRxJiOQDSYTkE0mMZMEkYbJksmKyZrJh8sVky+QbyQ7JD5I9kgOSI5ITkjOSC5MrkxuTXyZ3Jg8mTyYvJv/+A4N1jSajlYSmAAAAAElFTkSuQmCC"}
]

"""####
        ),
        (
            "interests.json",
            ####"""
[
  {"id": "interest_robotics", "name": {"en": "Robotics", "ar": "الروبوتات"}, "category": "technology"},
  {"id": "interest_volunteer", "name": {"en": "Volunteering", "ar": "التطوع"}, "category": "community"},
  {"id": "interest_football", "name": {"en": "Football", "ar": "كرة القدم"}, "category": "sports"},
  {"id": "interest_heritage", "name": {"en": "Heritage", "ar": "التراث"}, "category": "culture"},
  {"id": "interest_startups", "name": {"en": "Entrepreneurship", "ar": "ريادة الأعمال"}, "category": "business"},
  {"id": "interest_environment", "name": {"en": "Environment", "ar": "البيئة"}, "category": "community"}
]

"""####
        ),
        (
            "learning-paths.json",
            ####"""
[
  {"id": "path_layla_digital", "userId": "user_layla", "aiSkillId": "aiskill_digital", "status": "active", "assessmentLevel": 3, "assessmentId": "assessment_layla1", "language": "ar", "completedModuleIds": ["m1"], "createdAt": "D0-P30D", "updatedAt": "D0-P30D"},
  {"id": "path_layla_critical", "userId": "user_layla", "aiSkillId": "aiskill_critical", "status": "completed", "assessmentLevel": 2, "assessmentId": "assessment_layla2", "language": "ar", "completedModuleIds": ["m1", "m2", "m3", "m4"], "createdAt": "D0-P29DT23H59M59.999S", "updatedAt": "D0-P29DT23H59M59.999S"},
  {"id": "path_layla_problem", "userId": "user_layla", "aiSkillId": "aiskill_problem", "status": "archived", "assessmentLevel": 1, "assessmentId": "assessment_layla3", "language": "ar", "completedModuleIds": [], "createdAt": "D0-P29DT23H59M59.998S", "updatedAt": "D0-P29DT23H59M59.998S"}
]

"""####
        ),
        (
            "onboarding.json",
            ####"""
[
  {"id": "user_layla", "completed": true, "firstNameAr": "ليلى", "lastNameAr": "تجريبية", "firstNameEn": "Layla", "lastNameEn": "Sample", "gender": "female", "region": "مسقط", "city": "السيب", "regionId": "region_muscat", "cityId": "city_seeb", "draftSkillIds": ["skill_programming", "skill_design", "skill_teamwork"], "draftInterestIds": ["interest_robotics", "interest_volunteer"]},
  {"id": "user_omar", "completed": false, "currentStep": "skills", "firstNameAr": "عمر", "lastNameAr": "تجريبي", "firstNameEn": "Omar", "lastNameEn": "Sample", "gender": "male", "region": "ظفار", "city": "صلالة", "regionId": "region_dhofar", "cityId": "city_salalah"},
  {"id": "user_blocked", "completed": true, "firstNameAr": "سالم", "lastNameAr": "تجريبي", "firstNameEn": "Salim", "lastNameEn": "Sample", "gender": "male", "region": "مسقط", "city": "مطرح", "regionId": "region_muscat", "cityId": "city_muttrah"}
]

"""####
        ),
        (
            "passwords.json",
            ####"""
[
  {"id": "layla@sawaed.test", "userId": "user_layla", "password": "sawaed-layla-1", "isVerified": true},
  {"id": "unverified@sawaed.test", "userId": "user_unverified", "password": "sawaed-unverified-1", "isVerified": false}
]

"""####
        ),
        (
            "profiles.json",
            ####"""
[
  {"id": "profile_layla", "userId": "user_layla", "headline": "مهتمة بالتقنية والتطوع", "bio": "أتعلم تطوير التطبيقات.", "regionId": "region_muscat", "cityId": "city_seeb", "collaborationStatus": "open", "completionPercentage": 90}
]

"""####
        ),
        (
            "projects.json",
            ####"""
[
  {"id": "project_layla1", "userId": "user_layla", "title": "Habit tracker", "createdAt": "D0-P30D", "updatedAt": "D0-P30D"}
]

"""####
        ),
        (
            "regions.json",
            ####"""
[
  {"id": "region_muscat", "name": {"en": "Muscat", "ar": "مسقط"}},
  {"id": "region_dhofar", "name": {"en": "Dhofar", "ar": "ظفار"}},
  {"id": "region_musandam", "name": {"en": "Musandam", "ar": "مسندم"}},
  {"id": "region_buraimi", "name": {"en": "Al Buraimi", "ar": "البريمي"}},
  {"id": "region_dakhiliyah", "name": {"en": "Al Dakhiliyah", "ar": "الداخلية"}},
  {"id": "region_batinah_north", "name": {"en": "Al Batinah North", "ar": "شمال الباطنة"}},
  {"id": "region_batinah_south", "name": {"en": "Al Batinah South", "ar": "جنوب الباطنة"}},
  {"id": "region_sharqiyah_south", "name": {"en": "Al Sharqiyah South", "ar": "جنوب الشرقية"}},
  {"id": "region_sharqiyah_north", "name": {"en": "Al Sharqiyah North", "ar": "شمال الشرقية"}},
  {"id": "region_dhahirah", "name": {"en": "Al Dhahirah", "ar": "الظاهرة"}},
  {"id": "region_wusta", "name": {"en": "Al Wusta", "ar": "الوسطى"}}
]

"""####
        ),
        (
            "registrations.json",
            ####"""
[
  {"id": "registration_seat01_hackathon", "userId": "user_seat01", "eventId": "event_open_hackathon", "timestamp": "D0-P30D", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat02_hackathon", "userId": "user_seat02", "eventId": "event_open_hackathon", "timestamp": "D0-P29DT23H59M59.999S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat03_hackathon", "userId": "user_seat03", "eventId": "event_open_hackathon", "timestamp": "D0-P29DT23H59M59.998S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat01_sohar", "userId": "user_seat01", "eventId": "event_full_sohar", "timestamp": "D0-P29DT23H59M59.997S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat02_sohar", "userId": "user_seat02", "eventId": "event_full_sohar", "timestamp": "D0-P29DT23H59M59.996S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat01_nizwa", "userId": "user_seat01", "eventId": "event_waitlist_nizwa", "timestamp": "D0-P29DT23H59M59.995S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat02_nizwa", "userId": "user_seat02", "eventId": "event_waitlist_nizwa", "timestamp": "D0-P29DT23H59M59.994S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat01_barka", "userId": "user_seat01", "eventId": "event_lastseat_barka", "timestamp": "D0-P29DT23H59M59.993S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat02_barka", "userId": "user_seat02", "eventId": "event_lastseat_barka", "timestamp": "D0-P29DT23H59M59.992S", "quantity": 1, "status": "accepted"},
  {"id": "registration_seat01_ibri", "userId": "user_seat01", "eventId": "event_approvalfull_ibri", "timestamp": "D0-P29DT23H59M59.991S", "quantity": 1, "status": "accepted"},
  {"id": "registration_layla_acc", "userId": "user_layla", "eventId": "event_registered_rustaq", "timestamp": "D0-P29DT23H59M59.990S", "quantity": 1, "status": "accepted"},
  {"id": "registration_layla_rej", "userId": "user_layla", "eventId": "event_rejected_buraimi", "timestamp": "D0-P29DT23H59M59.989S", "quantity": 1, "status": "rejected", "decidedAt": "D0-P29DT23H59M59.989S"}
]

"""####
        ),
        (
            "scenarios/already-registered.json",
            ####"""
{
  "title": "Every user has a seat everywhere: 409 already_registered (also natural: layla at event_registered_rustaq)",
  "expect": "Show the registration",
  "settings": {
    "seats": "accepted"
  },
  "changes": [
    {
      "change": "seatEverybody"
    }
  ]
}

"""####
        ),
        (
            "scenarios/always-401.json",
            ####"""
{
  "title": "Every /v1 call answers 401 although refresh succeeds",
  "expect": "Stop after one refresh and one replay",
  "settings": {
    "bearer": "reject"
  }
}

"""####
        ),
        (
            "scenarios/backend-envelope.json",
            ####"""
{
  "title": "Events, paths and profile come in the backend's own shapes, unset keys left out",
  "expect": "Decode either form",
  "settings": {
    "shape": "backend"
  }
}

"""####
        ),
        (
            "scenarios/basics-rate-limited.json",
            ####"""
{
  "title": "profile/basics answers 429 with retry-after",
  "expect": "Wait as long as retry-after says",
  "settings": {
    "limits": {
      "basics": "full"
    },
    "rateLimits": "on"
  }
}

"""####
        ),
        (
            "scenarios/blocked-user.json",
            ####"""
{
  "title": "Every YOUTH is blocked: sign-in works, profile answers 403 (also natural: blocked@sawaed.test)",
  "expect": "Say that the account is blocked",
  "settings": {
    "accounts": "blocked"
  }
}

"""####
        ),
        (
            "scenarios/captive-portal-redirect.json",
            ####"""
{
  "title": "A captive portal answers every call with a redirect (302) to its login page, and sets a cookie",
  "expect": "Do not follow the redirect to another host with the bearer; keep no cookie; stay signed in",
  "faults": [
    {"effect": {"respond": {"status": 302, "headers": [["Location", "http://portal.invalid/login"], ["Set-Cookie", "portal=1; Path=/"], ["Cache-Control", "no-store"]]}}}
  ]
}

"""####
        ),
        (
            "scenarios/chat-anonymous.json",
            ####"""
{
  "title": "The bearer is ignored on send: conversationId is null and nothing is stored",
  "expect": "Do without a conversation",
  "settings": {
    "chatBearer": "ignored"
  }
}

"""####
        ),
        (
            "scenarios/chat-arabic-etag.json",
            ####"""
{
  "title": "Nothing is changed: with locale ar the ETag counts UTF-16 code units, not bytes",
  "expect": "Send the ETag back unchanged"
}

"""####
        ),
        (
            "scenarios/chat-assessment.json",
            ####"""
{
  "title": "Every message but __start__ ends the assessment: a block, and a new learning path (also natural: the seventh message)",
  "expect": "Show the path and reload it",
  "settings": {
    "chatOutcome": "assessNow"
  }
}

"""####
        ),
        (
            "scenarios/chat-done-with-error.json",
            ####"""
{
  "title": "Replies are done and carry error assessment_repair_failed",
  "expect": "Show the text; do not expect a path",
  "settings": {
    "chatOutcome": "doneWithError"
  }
}

"""####
        ),
        (
            "scenarios/chat-empty-response.json",
            ####"""
{
  "title": "Replies end in error empty_response without text",
  "expect": "Show the error and offer a retry",
  "settings": {
    "chatOutcome": "empty"
  }
}

"""####
        ),
        (
            "scenarios/chat-error.json",
            ####"""
{
  "title": "Replies end in error unknown_error after two pieces",
  "expect": "Keep the text, show the error, offer a retry",
  "settings": {
    "chatOutcome": "error"
  }
}

"""####
        ),
        (
            "scenarios/chat-happy.json",
            ####"""
{
  "title": "Nothing is changed: a send runs from queued to done in 600 ms, with 304s between",
  "expect": "Poll with If-None-Match and stop when done"
}

"""####
        ),
        (
            "scenarios/chat-invalid-assessment.json",
            ####"""
{
  "title": "Every message but __start__ yields a block with two modules and no new path",
  "expect": "Show the text; do not expect a path",
  "settings": {
    "chatOutcome": "invalidAssessment"
  }
}

"""####
        ),
        (
            "scenarios/chat-missing-skill.json",
            ####"""
{
  "title": "Nothing is changed: a send without skillId answers 400 with an empty sessionId, and polling that answers 400",
  "expect": "Never poll an empty session id"
}

"""####
        ),
        (
            "scenarios/chat-send-401.json",
            ####"""
{
  "title": "A send without a valid bearer answers 401 unauthorized",
  "expect": "Refresh, then send again",
  "settings": {
    "chatAuth": "strict"
  }
}

"""####
        ),
        (
            "scenarios/chat-send-rate-limited.json",
            ####"""
{
  "title": "Chat send answers 429 with an empty sessionId",
  "expect": "Wait ten seconds before the next send",
  "settings": {
    "limits": {
      "chatSend": "full"
    },
    "rateLimits": "on"
  }
}

"""####
        ),
        (
            "scenarios/chat-session-gone.json",
            ####"""
{
  "title": "Sessions are forgotten when they are done: 404 session_not_found",
  "expect": "Stop polling and load what was stored",
  "settings": {
    "chatSessions": "forgottenWhenDone"
  }
}

"""####
        ),
        (
            "scenarios/chat-slow.json",
            ####"""
{
  "title": "Each step of a reply takes 2 s",
  "expect": "Slow down while nothing changes",
  "settings": {
    "chatPaceMs": 2000
  }
}

"""####
        ),
        (
            "scenarios/chat-status-rate-limited.json",
            ####"""
{
  "title": "Chat status answers 429 in the form of a status",
  "expect": "Wait a minute before the next poll",
  "settings": {
    "limits": {
      "chatStatus": "full"
    },
    "rateLimits": "on"
  }
}

"""####
        ),
        (
            "scenarios/chat-stuck.json",
            ####"""
{
  "title": "Replies stay in running and end in error timeout after 3 minutes",
  "expect": "Slow down while nothing changes, and give up in the end",
  "settings": {
    "chatOutcome": "stuck"
  }
}

"""####
        ),
        (
            "scenarios/completion-zero-after-onboarding.json",
            ####"""
{
  "title": "Nothing is changed: finish onboarding, and completionPercentage is 0 although much is filled in",
  "expect": "Do not take 0 for an empty profile"
}

"""####
        ),
        (
            "scenarios/event-approval.json",
            ####"""
{
  "title": "All open events ask for approval: register answers pending (also natural: event_approval_salalah)",
  "expect": "Say that somebody has to decide",
  "changes": [
    {
      "change": "askForApproval"
    }
  ]
}

"""####
        ),
        (
            "scenarios/event-closed.json",
            ####"""
{
  "title": "Registration has ended for every event: 409 registration_closed (also natural: event_closed_khasab)",
  "expect": "Say so, and do not repeat",
  "changes": [
    {
      "change": "closeRegistration"
    }
  ]
}

"""####
        ),
        (
            "scenarios/event-full.json",
            ####"""
{
  "title": "Every open event is full, without a waitlist: register answers 409 event_full (also natural: event_full_sohar)",
  "expect": "Say that it is full",
  "changes": [
    {
      "change": "fillEvents"
    },
    {
      "change": "forbidWaitlists"
    }
  ]
}

"""####
        ),
        (
            "scenarios/event-invalid-id.json",
            ####"""
{
  "title": "Nothing is changed: /events/abc answers 400 invalid_id",
  "expect": "Take ids from the list only"
}

"""####
        ),
        (
            "scenarios/event-invite-only.json",
            ####"""
{
  "title": "All events are by invitation: register answers 409 invite_only (also natural: event_invite_muscat)",
  "expect": "Say so, and do not repeat",
  "changes": [
    {
      "change": "makeInviteOnly"
    }
  ]
}

"""####
        ),
        (
            "scenarios/event-last-seat.json",
            ####"""
{
  "title": "Nothing is changed: event_lastseat_barka has one seat left, and the second caller is refused",
  "expect": "Reload the event after a 409"
}

"""####
        ),
        (
            "scenarios/event-not-open.json",
            ####"""
{
  "title": "Registration has not begun for any event: 409 registration_not_open (also natural: event_notopen_duqm)",
  "expect": "Show the opening date",
  "changes": [
    {
      "change": "openLater"
    }
  ]
}

"""####
        ),
        (
            "scenarios/event-past.json",
            ####"""
{
  "title": "All events are over: 409 event_past (also natural: event_past_muttrah)",
  "expect": "Say so, and do not repeat",
  "changes": [
    {
      "change": "endEvents"
    }
  ]
}

"""####
        ),
        (
            "scenarios/event-seat-limit.json",
            ####"""
{
  "title": "Nothing is changed: 3 seats at event_open_hackathon answer 409 max_per_user_exceeded",
  "expect": "Offer no more seats than maxRegistrationsPerUser"
}

"""####
        ),
        (
            "scenarios/event-unpublished.json",
            ####"""
{
  "title": "Nothing is changed: event_draft_hidden answers 404, and register 409 event_not_available",
  "expect": "Say that the event is not available"
}

"""####
        ),
        (
            "scenarios/event-waitlisted.json",
            ####"""
{
  "title": "Every open event is full and has a waitlist: register answers waitlisted (also natural: event_waitlist_nizwa)",
  "expect": "Say that the user is on the waitlist",
  "changes": [
    {
      "change": "fillEvents"
    },
    {
      "change": "allowWaitlists"
    }
  ]
}

"""####
        ),
        (
            "scenarios/events-empty.json",
            ####"""
{
  "title": "No event is published",
  "expect": "Show that there is nothing yet",
  "changes": [
    {
      "change": "unpublishEvents"
    }
  ]
}

"""####
        ),
        (
            "scenarios/events-paged.json",
            ####"""
{
  "title": "Nothing is changed: the list has a page of 20 and one cursor",
  "expect": "Send nextCursor back with the same filters"
}

"""####
        ),
        (
            "scenarios/events-sparse-pages.json",
            ####"""
{
  "title": "Filters are applied after the page is cut: short or empty pages although more follow",
  "expect": "Follow nextCursor until it is absent, however few items come",
  "settings": {
    "paging": "sparse"
  }
}

"""####
        ),
        (
            "scenarios/expired-access-token.json",
            ####"""
{
  "title": "All access tokens issued so far are expired: 401, then refresh and replay work",
  "expect": "Refresh once and replay the request once",
  "changes": [
    {
      "change": "expireAccessTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/expired-refresh-token.json",
            ####"""
{
  "title": "All tokens issued so far are expired: 401, then refresh answers 400",
  "expect": "Go to sign-in and send no more bearer calls",
  "changes": [
    {
      "change": "expireAccessTokens"
    },
    {
      "change": "expireRefreshTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/expired-token-500.json",
            ####"""
{
  "title": "All access tokens are expired, and that answers 500 instead of 401",
  "expect": "Treat a 500 as a failure to show, not as a reason to loop",
  "settings": {
    "expiredToken": 500
  },
  "changes": [
    {
      "change": "expireAccessTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/fresh-user-draft-403.json",
            ####"""
{
  "title": "Onboarding rows are removed: the draft answers 403 (also natural: new@sawaed.test)",
  "expect": "Take the 403 of the draft as an empty draft",
  "changes": [
    {
      "change": "removeOnboarding"
    }
  ]
}

"""####
        ),
        (
            "scenarios/keep-alive-closed.json",
            ####"""
{
  "title": "The next call on a kept-alive connection that was idle meets one that is closed",
  "expect": "Repeat a GET once on a fresh connection; look before a POST is repeated",
  "faults": [
    {"match": {"connection": "reused"}, "when": {"times": 1}, "effect": {"connection": "empty"}}
  ]
}

"""####
        ),
        (
            "scenarios/legacy-500.json",
            ####"""
{
  "title": "Bad bodies, ids and phones of /v1 answer 500 with the route's failure code",
  "expect": "Show the failure; check input before it is sent",
  "settings": {
    "validation": "backend"
  }
}

"""####
        ),
        (
            "scenarios/module-unknown.json",
            ####"""
{
  "title": "Nothing is changed: any other module id answers 404 module_not_found",
  "expect": "Load the path again"
}

"""####
        ),
        (
            "scenarios/no-active-path.json",
            ####"""
{
  "title": "All learning paths are archived: active is null (also natural: omar@sawaed.test)",
  "expect": "Offer the assessment",
  "changes": [
    {
      "change": "archivePaths"
    }
  ]
}

"""####
        ),
        (
            "scenarios/not-registered.json",
            ####"""
{
  "title": "All registrations are removed: cancel answers 409 not_registered (also natural: omar)",
  "expect": "Reload the registrations",
  "changes": [
    {
      "change": "removeRegistrations"
    }
  ]
}

"""####
        ),
        (
            "scenarios/onboarding-incomplete.json",
            ####"""
{
  "title": "The last names of all drafts are removed: complete answers 400 invalid_draft",
  "expect": "Go back to the details",
  "changes": [
    {
      "change": "removeDraftLastNames"
    }
  ]
}

"""####
        ),
        (
            "scenarios/onboarding-resume.json",
            ####"""
{
  "title": "Nothing is changed: omar@sawaed.test is at step skills with a saved draft",
  "expect": "Go on at that step with the draft filled in"
}

"""####
        ),
        (
            "scenarios/origin-mismatch.json",
            ####"""
{
  "title": "Every auth call answers 403 invalid_origin",
  "expect": "Send no Origin from a native client",
  "settings": {
    "authOrigin": "refused"
  }
}

"""####
        ),
        (
            "scenarios/otp-email-case.json",
            ####"""
{
  "title": "Nothing is changed: signing in as Layla@sawaed.test makes another, empty account",
  "expect": "Trim and lower-case the address before it is sent"
}

"""####
        ),
        (
            "scenarios/otp-expired.json",
            ####"""
{
  "title": "Codes are issued already expired: verification answers 400 invalid_code",
  "expect": "Offer a new code",
  "settings": {
    "otp": {
      "issued": "expired"
    }
  }
}

"""####
        ),
        (
            "scenarios/otp-locked-out.json",
            ####"""
{
  "title": "Every e-mail's failures are used up: even the right code answers 400 invalid_code",
  "expect": "Do not hammer; offer to try again later",
  "settings": {
    "otp": {
      "attempts": "spent"
    }
  }
}

"""####
        ),
        (
            "scenarios/otp-mail-failed.json",
            ####"""
{
  "title": "request-otp answers 400 request_otp_failed, and no code is sent",
  "expect": "Say that no code was sent and offer a retry",
  "settings": {
    "otpMail": "failed"
  }
}

"""####
        ),
        (
            "scenarios/otp-rate-limited.json",
            ####"""
{
  "title": "request-otp answers 429 with retry-after: 60",
  "expect": "Wait as long as retry-after says",
  "settings": {
    "otpLimited": true,
    "rateLimits": "on"
  }
}

"""####
        ),
        (
            "scenarios/otp-replaced.json",
            ####"""
{
  "title": "Every code differs, so the first of two codes is invalid",
  "expect": "Use the latest code only; the outbox shows it",
  "settings": {
    "otp": {
      "codes": "distinct"
    }
  }
}

"""####
        ),
        (
            "scenarios/otp-user-exists.json",
            ####"""
{
  "title": "request-otp answers 409 user_exists",
  "expect": "Show a message instead of waiting for a code",
  "settings": {
    "otpAnswer": "userExists"
  }
}

"""####
        ),
        (
            "scenarios/otp-wrong-code.json",
            ####"""
{
  "title": "The next verification of each e-mail answers 400 invalid_code",
  "expect": "Keep the code field open and let the user try again",
  "settings": {
    "otp": {
      "verification": "failsOnce"
    }
  },
  "changes": [
    {
      "change": "renewFailures"
    }
  ]
}

"""####
        ),
        (
            "scenarios/path-completed-not-reopenable.json",
            ####"""
{
  "title": "Nothing is changed: complete every module, then incomplete-module by aiSkillId answers 404",
  "expect": "Re-open with learningPathId"
}

"""####
        ),
        (
            "scenarios/phone-eight-digits.json",
            ####"""
{
  "title": "Nothing is changed: +96891234567 answers 400 invalid_phone",
  "expect": "Show the error at the phone field"
}

"""####
        ),
        (
            "scenarios/picture-cut.json",
            ####"""
{
  "title": "The next download of a picture breaks off halfway, and ranges are not taken",
  "expect": "Start again from the first byte instead of a resume, and show no half picture",
  "faults": [
    {"match": {"method": "GET", "path": "/api/storage/*"}, "when": {"times": 1}, "effect": {"connection": "truncate"}}
  ]
}

"""####
        ),
        (
            "scenarios/picture-without-length.json",
            ####"""
{
  "title": "Pictures come in chunks, without Content-Length",
  "expect": "Show progress without a total; the end is the last chunk",
  "faults": [
    {"match": {"method": "GET", "path": "/api/storage/*"}, "effect": {"framing": "chunked"}}
  ]
}

"""####
        ),
        (
            "scenarios/profile-null.json",
            ####"""
{
  "title": "Profile rows are removed: profile is null (also natural: new@sawaed.test)",
  "expect": "Show an empty profile",
  "changes": [
    {
      "change": "removeProfiles"
    }
  ]
}

"""####
        ),
        (
            "scenarios/redacted-domain-error.json",
            ####"""
{
  "title": "Conflicts of register and cancel answer 400 \"server error\"",
  "expect": "Show a general failure",
  "settings": {
    "conflicts": "redacted"
  }
}

"""####
        ),
        (
            "scenarios/refresh-lost-response.json",
            ####"""
{
  "title": "The first refresh of each token succeeds, but its response is lost; a repeat gets the same child",
  "expect": "Repeat the refresh with the same token",
  "settings": {
    "refreshAnswers": "firstLost"
  }
}

"""####
        ),
        (
            "scenarios/refresh-replayed.json",
            ####"""
{
  "title": "Nothing is changed: a refresh token whose grandchild is in use answers 400 after 10 s, and its family is revoked",
  "expect": "Store the newest refresh token and never use an older one"
}

"""####
        ),
        (
            "scenarios/register-rate-limited.json",
            ####"""
{
  "title": "register answers 429 with retry-after",
  "expect": "Wait as long as retry-after says",
  "settings": {
    "limits": {
      "register": "full"
    },
    "rateLimits": "on"
  }
}

"""####
        ),
        (
            "scenarios/rejected.json",
            ####"""
{
  "title": "Every user is rejected everywhere: 409 rejected_cannot_reapply (also natural: layla at event_rejected_buraimi)",
  "expect": "Say so, and do not repeat",
  "settings": {
    "seats": "rejected"
  },
  "changes": [
    {
      "change": "rejectEverybody"
    }
  ]
}

"""####
        ),
        (
            "scenarios/role-not-youth.json",
            ####"""
{
  "title": "Every YOUTH counts as ADMIN: onboarding and profile answer 403, paths null (also natural: admin@sawaed.test)",
  "expect": "Say that the app is for youths",
  "settings": {
    "accounts": "admin"
  }
}

"""####
        ),
        (
            "scenarios/session-over.json",
            ####"""
{
  "title": "All sessions are at their end of 30 days: refresh answers 400 invalid_refresh",
  "expect": "Go to sign-in",
  "changes": [
    {
      "change": "endSessions"
    }
  ]
}

"""####
        ),
        (
            "scenarios/shared-rate-limit.json",
            ####"""
{
  "title": "All users share one bucket: others use up the caller's budget",
  "expect": "Wait as long as retry-after says",
  "settings": {
    "limiterKey": "shared",
    "rateLimits": "on"
  }
}

"""####
        ),
        (
            "scenarios/signed-out-elsewhere.json",
            ####"""
{
  "title": "All sessions are deleted: refresh answers 400 invalid_refresh",
  "expect": "Go to sign-in",
  "changes": [
    {
      "change": "deleteSessions"
    }
  ]
}

"""####
        ),
        (
            "scenarios/signin-unverified.json",
            ####"""
{
  "title": "Every password account is unverified: signin answers 403 unverified and mails a code (also natural: unverified@sawaed.test)",
  "expect": "Ask for the mailed code",
  "changes": [
    {
      "change": "unverifyPasswords"
    }
  ]
}

"""####
        ),
        (
            "scenarios/signup-short-password.json",
            ####"""
{
  "title": "Nothing is changed: a sign-up with a password of 7 characters answers 400 signup_failed",
  "expect": "Ask for 8 characters or more"
}

"""####
        ),
        (
            "scenarios/unknown-onboarding-step.json",
            ####"""
{
  "title": "currentStep carries the backend's words: welcome, details, taxonomies, done",
  "expect": "Take an unknown step as the first one",
  "settings": {
    "steps": "backend"
  }
}

"""####
        ),
        (
            "scenarios/upload-too-large.json",
            ####"""
{
  "title": "Uploads over 1 KiB answer 413",
  "expect": "Shrink the picture before it is sent",
  "settings": {
    "upload": {
      "limitBytes": 1024
    }
  }
}

"""####
        ),
        (
            "scenarios/upload-url-expired.json",
            ####"""
{
  "title": "Every upload answers 403: its token is expired",
  "expect": "Ask for a new upload address once",
  "settings": {
    "upload": {
      "tokens": "expired"
    }
  }
}

"""####
        ),
        (
            "skills.json",
            ####"""
[
  {"id": "skill_programming", "name": {"en": "Programming", "ar": "البرمجة"}, "category": "technical"},
  {"id": "skill_design", "name": {"en": "Interface design", "ar": "تصميم الواجهات"}, "category": "technical"},
  {"id": "skill_data_analysis", "name": {"en": "Data analysis", "ar": "تحليل البيانات"}, "category": "technical"},
  {"id": "skill_security", "name": {"en": "Cybersecurity", "ar": "الأمن السيبراني"}, "category": "technical"},
  {"id": "skill_teamwork", "name": {"en": "Teamwork", "ar": "العمل الجماعي"}, "category": "soft"},
  {"id": "skill_communication", "name": {"en": "Communication", "ar": "التواصل"}, "category": "soft"},
  {"id": "skill_writing", "name": {"en": "Writing", "ar": "الكتابة"}, "category": "creative"},
  {"id": "skill_photography", "name": {"en": "Photography", "ar": "التصوير"}, "category": "creative"}
]

"""####
        ),
        (
            "users.json",
            ####"""
[
  {"id": "user_layla", "email": "layla@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "firstNameAr": "ليلى", "lastNameAr": "تجريبية", "firstNameEn": "Layla", "lastNameEn": "Sample", "gender": "female", "phone": "+968912345678", "skillIds": ["skill_programming", "skill_design", "skill_teamwork"], "interestIds": ["interest_robotics", "interest_volunteer"], "createdAt": "D0-P30D"},
  {"id": "user_omar", "email": "omar@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.999S"},
  {"id": "user_new", "email": "new@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.998S"},
  {"id": "user_admin", "email": "admin@sawaed.test", "role": "ADMIN", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.997S"},
  {"id": "user_blocked", "email": "blocked@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "isBlocked": true, "createdAt": "D0-P29DT23H59M59.996S"},
  {"id": "user_unverified", "email": "unverified@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.995S"},
  {"id": "user_seat01", "email": "seat01@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.994S"},
  {"id": "user_seat02", "email": "seat02@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.993S"},
  {"id": "user_seat03", "email": "seat03@sawaed.test", "role": "YOUTH", "languagePreference": "ar", "createdAt": "D0-P29DT23H59M59.992S"}
]

"""####
        ),
    ]
}

// Made by scripts/embed-seeds from seeds/trendy; do not edit.
// swift-format-ignore-file

extension TrendyAPI {
    /// The name and the text of each file, in the order of the names.
    package static let builtInSeed: [(name: String, text: String)] = [
        (
            "accounts.json",
            ####"""
[
  {"id": "7e4d0000-0000-4000-8000-000000000001", "email": "new@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000002", "email": "welcome@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000003", "email": "auth@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000004", "email": "permissions@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000005", "email": "completed@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000006", "email": "reset@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000007", "email": "flag-only@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000008", "email": "gap@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000009", "email": "tracker@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-00000000000a", "email": "second@trendy.example", "password": "trendy-pass-1", "provider": "email", "providers": ["email"], "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"}
]

"""####
        ),
        (
            "event-types.json",
            ####"""
[
  {"id": "0193e354-b640-7000-8000-000000000001", "userId": "7e4d0000-0000-4000-8000-000000000009", "name": "Run", "color": "#FF3B30", "icon": "figure.run", "createdAt": "D0-P11DT14H50M", "updatedAt": "D0-P11DT14H50M"},
  {"id": "0193e354-dd50-7000-8000-000000000002", "userId": "7e4d0000-0000-4000-8000-000000000009", "name": "Sleep", "color": "#5856D6", "icon": "bed.double", "createdAt": "D0-P11DT14H49M50S", "updatedAt": "D0-P11DT14H49M50S"},
  {"id": "0193e355-0460-7000-8000-000000000003", "userId": "7e4d0000-0000-4000-8000-000000000009", "name": "Coffee", "color": "#A2845E", "icon": "cup.and.saucer", "createdAt": "D0-P11DT14H49M40S", "updatedAt": "D0-P11DT14H49M40S"}
]

"""####
        ),
        (
            "events.json",
            ####"""
[
  {"id": "0193e35d-de00-7000-8000-000000000001", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P21DT1H30M", "endDate": "D0-P20DT17H30M", "createdAt": "D0-P11DT14H40M"},
  {"id": "0193e35d-e1e8-7000-8000-000000000002", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P20DT17H", "createdAt": "D0-P11DT14H39M59S"},
  {"id": "0193e35d-e5d0-7000-8000-000000000003", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P20DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M58S"},
  {"id": "0193e35d-e9b8-7000-8000-000000000004", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P20DT1H30M", "endDate": "D0-P19DT17H30M", "createdAt": "D0-P11DT14H39M57S"},
  {"id": "0193e35d-eda0-7000-8000-000000000005", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P19DT17H", "createdAt": "D0-P11DT14H39M56S"},
  {"id": "0193e35d-f188-7000-8000-000000000006", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P19DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M55S"},
  {"id": "0193e35d-f570-7000-8000-000000000007", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P19DT1H30M", "endDate": "D0-P18DT17H30M", "createdAt": "D0-P11DT14H39M54S"},
  {"id": "0193e35d-f958-7000-8000-000000000008", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P18DT17H", "properties": {"distance": {"type": "number", "value": 5.2}}, "createdAt": "D0-P11DT14H39M53S"},
  {"id": "0193e35d-fd40-7000-8000-000000000009", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P18DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M52S"},
  {"id": "0193e35e-0128-7000-8000-00000000000a", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P18DT1H30M", "endDate": "D0-P17DT17H30M", "createdAt": "D0-P11DT14H39M51S"},
  {"id": "0193e35e-0510-7000-8000-00000000000b", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P17DT17H", "createdAt": "D0-P11DT14H39M50S"},
  {"id": "0193e35e-08f8-7000-8000-00000000000c", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P17DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M49S"},
  {"id": "0193e35e-0ce0-7000-8000-00000000000d", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P17DT1H30M", "endDate": "D0-P16DT17H30M", "createdAt": "D0-P11DT14H39M48S"},
  {"id": "0193e35e-10c8-7000-8000-00000000000e", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P16DT17H", "createdAt": "D0-P11DT14H39M47S"},
  {"id": "0193e35e-14b0-7000-8000-00000000000f", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P16DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M46S"},
  {"id": "0193e35e-1898-7000-8000-000000000010", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P16DT1H30M", "endDate": "D0-P15DT17H30M", "createdAt": "D0-P11DT14H39M45S"},
  {"id": "0193e35e-1c80-7000-8000-000000000011", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P15DT17H", "properties": {"distance": {"type": "number", "value": 7.5}}, "createdAt": "D0-P11DT14H39M44S"},
  {"id": "0193e35e-2068-7000-8000-000000000012", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P15DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M43S"},
  {"id": "0193e35e-2450-7000-8000-000000000013", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P15DT1H30M", "endDate": "D0-P14DT17H30M", "createdAt": "D0-P11DT14H39M42S"},
  {"id": "0193e35e-2838-7000-8000-000000000014", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P14DT17H", "createdAt": "D0-P11DT14H39M41S"},
  {"id": "0193e35e-2c20-7000-8000-000000000015", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P14DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M40S"},
  {"id": "0193e35e-3008-7000-8000-000000000016", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P14DT1H30M", "endDate": "D0-P13DT17H30M", "createdAt": "D0-P11DT14H39M39S"},
  {"id": "0193e35e-33f0-7000-8000-000000000017", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P13DT17H", "createdAt": "D0-P11DT14H39M38S"},
  {"id": "0193e35e-37d8-7000-8000-000000000018", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P13DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M37S"},
  {"id": "0193e35e-3bc0-7000-8000-000000000019", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P13DT1H30M", "endDate": "D0-P12DT17H30M", "createdAt": "D0-P11DT14H39M36S"},
  {"id": "0193e35e-3fa8-7000-8000-00000000001a", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P12DT17H", "properties": {"distance": {"type": "number", "value": 10}}, "createdAt": "D0-P11DT14H39M35S"},
  {"id": "0193e35e-4390-7000-8000-00000000001b", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P12DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M34S"},
  {"id": "0193e35e-4778-7000-8000-00000000001c", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P12DT1H30M", "endDate": "D0-P11DT17H30M", "createdAt": "D0-P11DT14H39M33S"},
  {"id": "0193e35e-4b60-7000-8000-00000000001d", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P11DT17H", "createdAt": "D0-P11DT14H39M32S"},
  {"id": "0193e35e-4f48-7000-8000-00000000001e", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P11DT16H", "weekdays": true, "createdAt": "D0-P11DT14H39M31S"},
  {"id": "0193e7e8-9640-7000-8000-00000000001f", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P11DT1H30M", "endDate": "D0-P10DT17H30M", "createdAt": "D0-P10DT17H30M"},
  {"id": "0193e804-0d80-7000-8000-000000000020", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P10DT17H", "createdAt": "D0-P10DT17H"},
  {"id": "0193e83a-fc00-7000-8000-000000000021", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P10DT16H", "weekdays": true, "createdAt": "D0-P10DT16H"},
  {"id": "0193ed0e-f240-7000-8000-000000000022", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P10DT1H30M", "endDate": "D0-P9DT17H30M", "createdAt": "D0-P9DT17H30M"},
  {"id": "0193ed2a-6980-7000-8000-000000000023", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P9DT17H", "properties": {"distance": {"type": "number", "value": 6.1}}, "createdAt": "D0-P9DT17H"},
  {"id": "0193ed61-5800-7000-8000-000000000024", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P9DT16H", "weekdays": true, "createdAt": "D0-P9DT16H"},
  {"id": "0193f235-4e40-7000-8000-000000000025", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P9DT1H30M", "endDate": "D0-P8DT17H30M", "createdAt": "D0-P8DT17H30M"},
  {"id": "0193f250-c580-7000-8000-000000000026", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P8DT17H", "createdAt": "D0-P8DT17H"},
  {"id": "0193f287-b400-7000-8000-000000000027", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P8DT16H", "weekdays": true, "createdAt": "D0-P8DT16H"},
  {"id": "0193f75b-aa40-7000-8000-000000000028", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P8DT1H30M", "endDate": "D0-P7DT17H30M", "createdAt": "D0-P7DT17H30M"},
  {"id": "0193f777-2180-7000-8000-000000000029", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P7DT17H", "createdAt": "D0-P7DT17H"},
  {"id": "0193f7ae-1000-7000-8000-00000000002a", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P7DT16H", "weekdays": true, "createdAt": "D0-P7DT16H"},
  {"id": "0193fc82-0640-7000-8000-00000000002b", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P7DT1H30M", "endDate": "D0-P6DT17H30M", "createdAt": "D0-P6DT17H30M"},
  {"id": "0193fc9d-7d80-7000-8000-00000000002c", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P6DT17H", "properties": {"distance": {"type": "number", "value": 8.4}}, "createdAt": "D0-P6DT17H"},
  {"id": "0193fcd4-6c00-7000-8000-00000000002d", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P6DT16H", "weekdays": true, "createdAt": "D0-P6DT16H"},
  {"id": "0193fe42-a200-7000-8000-00000000002e", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P6DT10H", "endDate": "D0-P6DT9H20M", "source": "healthkit", "sampleId": "5E3F2A10-7B6C-4D8E-9F01-23456789ABCD", "category": "sleep", "createdAt": "D0-P6DT9H20M"},
  {"id": "019401a8-6240-7000-8000-00000000002f", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P6DT1H30M", "endDate": "D0-P5DT17H30M", "createdAt": "D0-P5DT17H30M"},
  {"id": "019401c3-d980-7000-8000-000000000030", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P5DT17H", "createdAt": "D0-P5DT17H"},
  {"id": "019401fa-c800-7000-8000-000000000031", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P5DT16H", "weekdays": true, "createdAt": "D0-P5DT16H"},
  {"id": "019406ce-be40-7000-8000-000000000032", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P5DT1H30M", "endDate": "D0-P4DT17H30M", "createdAt": "D0-P4DT17H30M"},
  {"id": "019406ea-3580-7000-8000-000000000033", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P4DT17H", "createdAt": "D0-P4DT17H"},
  {"id": "01940721-2400-7000-8000-000000000034", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P4DT16H", "weekdays": true, "createdAt": "D0-P4DT16H"},
  {"id": "01940bf5-1a40-7000-8000-000000000035", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P4DT1H30M", "endDate": "D0-P3DT17H30M", "createdAt": "D0-P3DT17H30M"},
  {"id": "01940c10-9180-7000-8000-000000000036", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P3DT17H", "properties": {"distance": {"type": "number", "value": 5}}, "createdAt": "D0-P3DT17H"},
  {"id": "01940c47-8000-7000-8000-000000000037", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P3DT16H", "weekdays": true, "createdAt": "D0-P3DT16H"},
  {"id": "0194111b-7640-7000-8000-000000000038", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P3DT1H30M", "endDate": "D0-P2DT17H30M", "createdAt": "D0-P2DT17H30M"},
  {"id": "01941136-ed80-7000-8000-000000000039", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P2DT17H", "createdAt": "D0-P2DT17H"},
  {"id": "0194116d-dc00-7000-8000-00000000003a", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P2DT16H", "weekdays": true, "createdAt": "D0-P2DT16H"},
  {"id": "01941641-d240-7000-8000-00000000003b", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P2DT1H30M", "endDate": "D0-P1DT17H30M", "createdAt": "D0-P1DT17H30M"},
  {"id": "0194165d-4980-7000-8000-00000000003c", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-P1DT17H", "createdAt": "D0-P1DT17H"},
  {"id": "01941694-3800-7000-8000-00000000003d", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-P1DT16H", "weekdays": true, "createdAt": "D0-P1DT16H"},
  {"id": "01941b68-2e40-7000-8000-00000000003e", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-dd50-7000-8000-000000000002", "timestamp": "D0-P1DT1H30M", "endDate": "D0-PT17H30M", "createdAt": "D0-PT17H30M"},
  {"id": "01941b83-a580-7000-8000-00000000003f", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "timestamp": "D0-PT17H", "properties": {"distance": {"type": "number", "value": 12.3}}, "createdAt": "D0-PT17H"},
  {"id": "01941bba-9400-7000-8000-000000000040", "userId": "7e4d0000-0000-4000-8000-000000000009", "eventTypeId": "0193e355-0460-7000-8000-000000000003", "timestamp": "D0-PT16H", "weekdays": true, "createdAt": "D0-PT16H"}
]

"""####
        ),
        (
            "geofences.json",
            ####"""
[
  {"id": "0193e356-8b00-7000-8000-000000000001", "userId": "7e4d0000-0000-4000-8000-000000000009", "name": "Gym", "latitude": 48.2082, "longitude": 16.3738, "radius": 150, "entryTypeId": "0193e354-b640-7000-8000-000000000001", "isActive": true, "notifyOnEntry": true, "notifyOnExit": false, "createdAt": "D0-P11DT14H48M", "updatedAt": "D0-P11DT14H48M"}
]

"""####
        ),
        (
            "insights.json",
            ####"""
[
  {"id": "5f0c2d1e-0000-4000-8000-000000000001", "userId": "7e4d0000-0000-4000-8000-000000000009", "insightType": "correlation", "category": "cross_event", "title": "Run and Sleep", "description": "On days with a run you sleep longer", "eventTypeAId": "0193e354-b640-7000-8000-000000000001", "eventTypeBId": "0193e354-dd50-7000-8000-000000000002", "metricValue": 0.62, "pValue": 0.003, "sampleSize": 21, "confidence": "medium", "direction": "positive", "computedAt": "T0-PT7H", "validUntil": "T0-PT1H", "createdAt": "T0-PT7H"},
  {"id": "5f0c2d1e-0000-4000-8000-000000000002", "userId": "7e4d0000-0000-4000-8000-000000000009", "insightType": "pattern", "category": "time_of_day", "title": "Coffee at eight", "description": "Most coffee is had around 08:00", "eventTypeAId": "0193e355-0460-7000-8000-000000000003", "metricValue": 1, "sampleSize": 15, "confidence": "high", "direction": "neutral", "metadata": {"peak_hour": 8, "peak_percent": 100}, "computedAt": "T0-PT7H", "validUntil": "T0-PT1H", "createdAt": "T0-PT7H"}
]

"""####
        ),
        (
            "onboarding.json",
            ####"""
[
  {"userId": "7e4d0000-0000-4000-8000-000000000002", "completed": false, "welcomeCompletedAt": "D0-P11DT15H", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT15H"},
  {"userId": "7e4d0000-0000-4000-8000-000000000003", "completed": false, "welcomeCompletedAt": "D0-P11DT15H", "authCompletedAt": "D0-P11DT14H58M30S", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT14H58M30S"},
  {"userId": "7e4d0000-0000-4000-8000-000000000004", "completed": false, "welcomeCompletedAt": "D0-P11DT15H", "authCompletedAt": "D0-P11DT14H58M30S", "permissionsCompletedAt": "D0-P11DT14H56M", "notificationsStatus": "granted", "notificationsCompletedAt": "D0-P11DT14H57M50S", "healthkitStatus": "granted", "healthkitCompletedAt": "D0-P11DT14H57M", "locationStatus": "granted", "locationCompletedAt": "D0-P11DT14H56M20S", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT14H56M"},
  {"userId": "7e4d0000-0000-4000-8000-000000000005", "completed": true, "welcomeCompletedAt": "D0-P11DT15H", "authCompletedAt": "D0-P11DT14H58M30S", "permissionsCompletedAt": "D0-P11DT14H56M", "notificationsStatus": "granted", "notificationsCompletedAt": "D0-P11DT14H57M50S", "healthkitStatus": "denied", "healthkitCompletedAt": "D0-P11DT14H57M", "locationStatus": "skipped", "locationCompletedAt": "D0-P11DT14H56M20S", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT14H55M55S"},
  {"userId": "7e4d0000-0000-4000-8000-000000000006", "completed": false, "notificationsStatus": "granted", "notificationsCompletedAt": "D0-P11DT14H57M50S", "healthkitStatus": "skipped", "healthkitCompletedAt": "D0-P11DT14H57M", "locationStatus": "denied", "locationCompletedAt": "D0-P11DT14H56M20S", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT14H50M"},
  {"userId": "7e4d0000-0000-4000-8000-000000000007", "completed": true, "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT15H"},
  {"userId": "7e4d0000-0000-4000-8000-000000000008", "completed": false, "permissionsCompletedAt": "D0-P11DT14H56M", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT14H56M"},
  {"userId": "7e4d0000-0000-4000-8000-000000000009", "completed": true, "welcomeCompletedAt": "D0-P11DT15H", "authCompletedAt": "D0-P11DT14H58M30S", "permissionsCompletedAt": "D0-P11DT14H56M", "notificationsStatus": "granted", "notificationsCompletedAt": "D0-P11DT14H57M50S", "healthkitStatus": "granted", "healthkitCompletedAt": "D0-P11DT14H57M", "locationStatus": "granted", "locationCompletedAt": "D0-P11DT14H56M20S", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT14H55M55S"},
  {"userId": "7e4d0000-0000-4000-8000-00000000000a", "completed": false, "welcomeCompletedAt": "D0-P11DT15H", "createdAt": "D0-P11DT15H1M", "updatedAt": "D0-P11DT15H"}
]

"""####
        ),
        (
            "profiles.json",
            ####"""
[
  {"id": "7e4d0000-0000-4000-8000-000000000001", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000002", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000003", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000004", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000005", "onboardingComplete": true, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000006", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000007", "onboardingComplete": true, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000008", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-000000000009", "onboardingComplete": true, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"},
  {"id": "7e4d0000-0000-4000-8000-00000000000a", "onboardingComplete": false, "createdAt": "D0-P11DT15H2M", "updatedAt": "D0-P11DT15H2M"}
]

"""####
        ),
        (
            "property-definitions.json",
            ####"""
[
  {"id": "0193e355-a0a0-7000-8000-000000000001", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "userId": "7e4d0000-0000-4000-8000-000000000009", "key": "distance", "label": "Distance", "propertyType": "number", "displayOrder": 0, "createdAt": "D0-P11DT14H49M", "updatedAt": "D0-P11DT14H49M"},
  {"id": "0193e355-c7b0-7000-8000-000000000002", "eventTypeId": "0193e354-b640-7000-8000-000000000001", "userId": "7e4d0000-0000-4000-8000-000000000009", "key": "mood", "label": "Mood", "propertyType": "select", "options": ["low", "ok", "high"], "displayOrder": 1, "createdAt": "D0-P11DT14H48M50S", "updatedAt": "D0-P11DT14H48M50S"}
]

"""####
        ),
        (
            "scenarios/after-reset.json",
            ####"""
{
  "title": "Nothing is changed: reset@ has no steps, its permissions are kept",
  "expect": "Welcome; do not ask for granted permissions again"
}

"""####
        ),
        (
            "scenarios/as-deployed.json",
            ####"""
{
  "title": "Profile deployed: PATCH replaces, GET forgets completed, 500 before the first GET, fractions",
  "expect": "Survives lost members and a forgetful completed",
  "settings": {
    "profile": "deployed"
  }
}

"""####
        ),
        (
            "scenarios/auth-down.json",
            ####"""
{
  "title": "503 on /auth/v1 and 401 on /api/v1",
  "expect": "401 without a failed refresh is not a sign-out",
  "faults": [
    {
      "name": "auth server down",
      "match": {
        "api": "trendy",
        "path": "/auth/v1/**"
      },
      "effect": {
        "status": 503
      }
    },
    {
      "name": "no token can be checked",
      "match": {
        "api": "trendy",
        "path": "/api/v1/**"
      },
      "effect": {
        "status": 401
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/backend-slow.json",
            ####"""
{
  "title": "The right onboarding answer comes after 2.5 s",
  "expect": "Use it",
  "faults": [
    {
      "name": "just in time",
      "match": {
        "api": "trendy",
        "method": "GET",
        "path": "/api/v1/users/onboarding"
      },
      "effect": {
        "delay": {
          "ms": 2500
        }
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/backend-stall.json",
            ####"""
{
  "title": "The onboarding answer never comes",
  "expect": "As for a timeout; the request is cancelled",
  "faults": [
    {
      "name": "no answer",
      "match": {
        "api": "trendy",
        "method": "GET",
        "path": "/api/v1/users/onboarding"
      },
      "effect": {
        "connection": "stall"
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/backend-timeout.json",
            ####"""
{
  "title": "The right onboarding answer comes after 5 s",
  "expect": "At 3 s go on from cache; no second GET storm",
  "faults": [
    {
      "name": "too late",
      "match": {
        "api": "trendy",
        "method": "GET",
        "path": "/api/v1/users/onboarding"
      },
      "effect": {
        "delay": {
          "ms": 5000
        }
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/batch-partial.json",
            ####"""
{
  "title": "Nothing is changed: one bad item of three is 207",
  "expect": "The good ones are not sent again"
}

"""####
        ),
        (
            "scenarios/captive-portal.json",
            ####"""
{
  "title": "A captive portal answers every request with its login page: 200, HTML",
  "expect": "Not signed out, nothing is decoded or cached; as offline",
  "faults": [
    {"effect": {"body": "html"}}
  ]
}

"""####
        ),
        (
            "scenarios/clock-skew.json",
            ####"""
{
  "title": "The clock is a day ahead; tokens go by it",
  "expect": "No refresh loop",
  "clock": {
    "advance": "P1D"
  }
}

"""####
        ),
        (
            "scenarios/completed-without-steps.json",
            ####"""
{
  "title": "Nothing is changed: flag-only@ is completed without a date",
  "expect": "Main screen"
}

"""####
        ),
        (
            "scenarios/expired-session.json",
            ####"""
{
  "title": "Access tokens are expired, refresh tokens are valid",
  "expect": "One refresh, one repeat, no sign-out",
  "settings": {
    "tokens": {
      "first": "expired"
    }
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
            "scenarios/expired-session/refresh-dead.json",
            ####"""
{
  "title": "Neither access nor refresh tokens work",
  "expect": "Sign-in screen; the cache is kept",
  "changes": [
    {
      "change": "expireAccessTokens"
    },
    {
      "change": "endRefreshTokens"
    }
  ]
}

"""####
        ),
        (
            "scenarios/flaky.json",
            ####"""
{
  "title": "Every second request is 500",
  "expect": "Bounded retries with growing pauses",
  "faults": [
    {
      "name": "every second",
      "match": {
        "api": "trendy",
        "path": "/api/v1/**"
      },
      "when": {
        "skip": 1,
        "every": 2
      },
      "effect": {
        "status": 500
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/fractional-dates.json",
            ####"""
{
  "title": "Dates carry microseconds",
  "expect": "They decode, or the report is clear",
  "settings": {
    "dates": "fractional"
  }
}

"""####
        ),
        (
            "scenarios/gzip-mislabelled.json",
            ####"""
{
  "title": "Event types say Content-Encoding: gzip and are plain",
  "expect": "Decode error, the cache is kept",
  "faults": [
    {"match": {"method": "GET", "path": "/api/v1/event-types"}, "effect": {"respond": {"status": 200, "headers": [["Content-Encoding", "gzip"]], "body": []}}}
  ]
}

"""####
        ),
        (
            "scenarios/idempotent-retry.json",
            ####"""
{
  "title": "The connection drops after a 201",
  "expect": "Same key, one entity",
  "faults": [
    {
      "name": "answer lost",
      "match": {
        "api": "trendy",
        "method": "POST",
        "path": "/api/v1/**"
      },
      "when": {
        "times": 1
      },
      "phase": "after",
      "effect": {
        "connection": "empty"
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/invalid-permission.json",
            ####"""
{
  "title": "Nothing is changed: a permission value that is not known is 400 in the plain form",
  "expect": "Not retried"
}

"""####
        ),
        (
            "scenarios/keep-alive-closed.json",
            ####"""
{
  "title": "The first event created on a kept-alive connection that was idle meets one that is closed; it is not stored",
  "expect": "Repeated on a fresh connection with the same Idempotency-Key, once",
  "faults": [
    {"match": {"method": "POST", "path": "/api/v1/events", "connection": "reused"}, "when": {"times": 1}, "effect": {"connection": "empty"}}
  ]
}

"""####
        ),
        (
            "scenarios/new-user-defaults.json",
            ####"""
{
  "title": "Nothing is changed: new@ has no record: four members, completed false",
  "expect": "Start at welcome; no error for missing members"
}

"""####
        ),
        (
            "scenarios/not-json.json",
            ####"""
{
  "title": "The onboarding answer is cut off under status 200",
  "expect": "Decode error, the cache is kept",
  "faults": [
    {
      "name": "truncated",
      "match": {
        "api": "trendy",
        "method": "GET",
        "path": "/api/v1/users/onboarding"
      },
      "effect": {
        "body": "truncated-json"
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/null-members.json",
            ####"""
{
  "title": "Unset members are null",
  "expect": "The same as absent",
  "settings": {
    "onboarding": {
      "unset": "null"
    }
  }
}

"""####
        ),
        (
            "scenarios/offline-then-online.json",
            ####"""
{
  "title": "The first three pushes are reset, then all is well",
  "expect": "All three steps arrive, once, and completed stays",
  "faults": [
    {
      "name": "offline for three steps",
      "match": {
        "api": "trendy",
        "method": "PATCH",
        "path": "/api/v1/users/onboarding"
      },
      "when": {
        "times": 3
      },
      "effect": {
        "connection": "reset"
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/offline.json",
            ####"""
{
  "title": "Every connection is reset",
  "expect": "Onboarding goes on; changes are kept",
  "faults": [
    {
      "name": "offline",
      "match": {
        "api": "trendy"
      },
      "effect": {
        "connection": "reset"
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/partial-onboarding/auth.json",
            ####"""
{
  "title": "Nothing is changed: auth@ has finished welcome and auth",
  "expect": "Resume at permissions"
}

"""####
        ),
        (
            "scenarios/partial-onboarding/gap.json",
            ####"""
{
  "title": "Nothing is changed: gap@ has the permissions date only",
  "expect": "Finish, no crash"
}

"""####
        ),
        (
            "scenarios/partial-onboarding/permissions.json",
            ####"""
{
  "title": "Nothing is changed: permissions@ has finished all steps, not completed",
  "expect": "Resume at finish"
}

"""####
        ),
        (
            "scenarios/partial-onboarding/welcome.json",
            ####"""
{
  "title": "Nothing is changed: welcome@ has finished the step welcome",
  "expect": "Resume at auth"
}

"""####
        ),
        (
            "scenarios/problem-errors.json",
            ####"""
{
  "title": "One 401, then one 503, both problem documents",
  "expect": "Both error forms are understood",
  "faults": [
    {
      "name": "first 401",
      "match": {
        "api": "trendy",
        "path": "/api/v1/**"
      },
      "when": {
        "times": 1
      },
      "effect": {
        "status": 401
      }
    },
    {
      "name": "then 503",
      "match": {
        "api": "trendy",
        "path": "/api/v1/**"
      },
      "when": {
        "times": 1
      },
      "effect": {
        "status": 503
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/push-lost.json",
            ####"""
{
  "title": "The first PATCH is 500, the second works",
  "expect": "Retried, not forgotten",
  "faults": [
    {
      "name": "first push fails",
      "match": {
        "api": "trendy",
        "method": "PATCH",
        "path": "/api/v1/users/onboarding"
      },
      "when": {
        "times": 1
      },
      "effect": {
        "status": 500
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/push-out-of-order.json",
            ####"""
{
  "title": "The first PATCH takes 2 s; both are applied",
  "expect": "The second waits, or the members do not overlap",
  "faults": [
    {
      "name": "first push is slow",
      "match": {
        "api": "trendy",
        "method": "PATCH",
        "path": "/api/v1/users/onboarding"
      },
      "when": {
        "times": 1
      },
      "effect": {
        "delay": {
          "ms": 2000
        }
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/rate-limited.json",
            ####"""
{
  "title": "429 for 60 s",
  "expect": "Wait for Retry-After",
  "settings": {
    "rateLimits": "on"
  },
  "changes": [
    {
      "change": "closeLimiters",
      "count": 60
    }
  ]
}

"""####
        ),
        (
            "scenarios/refresh-answer-lost.json",
            ####"""
{
  "title": "The connection drops after the token answer was made",
  "expect": "The same refresh token is tried again",
  "faults": [
    {
      "name": "answer lost",
      "match": {
        "api": "trendy",
        "method": "POST",
        "path": "/auth/v1/token",
        "query": {
          "grant_type": "refresh_token"
        }
      },
      "when": {
        "times": 1
      },
      "phase": "after",
      "effect": {
        "connection": "empty"
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/refresh-replay.json",
            ####"""
{
  "title": "Nothing is changed: a refresh token repeated after two rotations and 11 s ends its session",
  "expect": "No loop"
}

"""####
        ),
        (
            "scenarios/returning-completed.json",
            ####"""
{
  "title": "Nothing is changed: completed@ has the full record",
  "expect": "Main screen without onboarding"
}

"""####
        ),
        (
            "scenarios/second-device.json",
            ####"""
{
  "title": "Nothing is changed: completed@ on a device without a cache",
  "expect": "Use the sync result, cache it under the right key, survive a restart"
}

"""####
        ),
        (
            "scenarios/sign-up-taken.json",
            ####"""
{
  "title": "Nothing is changed: signing up an existing address is 422",
  "expect": "A message for the user"
}

"""####
        ),
        (
            "scenarios/signed-out-elsewhere.json",
            ####"""
{
  "title": "Another device has ended all sessions",
  "expect": "Sign-in screen; the cache is kept",
  "changes": [
    {
      "change": "endSessions"
    }
  ]
}

"""####
        ),
        (
            "scenarios/slash-redirect.json",
            ####"""
{
  "title": "Nothing is changed: /api/v1/events/ is a redirect (301, for a POST 307) to /api/v1/events",
  "expect": "Follow the redirect with Authorization, method and content, or ask without the slash"
}

"""####
        ),
        (
            "scenarios/stale-read.json",
            ####"""
{
  "title": "GET answers the state of 2 s ago",
  "expect": "A newer local state is not overwritten",
  "faults": [
    {
      "name": "slow answer",
      "match": {
        "api": "trendy",
        "method": "GET",
        "path": "/api/v1/users/onboarding"
      },
      "phase": "after",
      "effect": {
        "delay": {
          "ms": 2000
        }
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/sync-backlog.json",
            ####"""
{
  "title": "tracker@ has 2000 changes",
  "expect": "Pages of 100; at most 300 requests a minute",
  "changes": [
    {
      "change": "fillChangeLog",
      "count": 2000
    }
  ]
}

"""####
        ),
        (
            "scenarios/unknown-permission.json",
            ####"""
{
  "title": "The notification status is one that no client knows",
  "expect": "Tolerated",
  "settings": {
    "onboarding": {
      "permissions": "provisional"
    }
  }
}

"""####
        ),
        (
            "scenarios/upper-case-id.json",
            ####"""
{
  "title": "user_id is in upper case",
  "expect": "The same cache entry",
  "settings": {
    "onboarding": {
      "userId": "upper"
    }
  }
}

"""####
        ),
        (
            "scenarios/user-switch.json",
            ####"""
{
  "title": "The first sync takes 2 s: time for A to sign out and B to sign in",
  "expect": "B never sees the state of A",
  "faults": [
    {
      "name": "slow first sync",
      "match": {
        "api": "trendy",
        "method": "GET",
        "path": "/api/v1/users/onboarding"
      },
      "when": {
        "times": 1
      },
      "effect": {
        "delay": {
          "ms": 2000
        }
      }
    }
  ]
}

"""####
        ),
        (
            "scenarios/weak-password.json",
            ####"""
{
  "title": "Nothing is changed: a password of 5 characters is 422 with reasons",
  "expect": "The reasons are shown"
}

"""####
        ),
    ]
}

/// Documents in the style of public ones.
enum ProposalDocuments {
    /// Sign-in with 201, pages by number and by cursor, a row with members that nobody sends.
    static let bikes = """
        openapi: 3.1.0
        info: {title: Bikes, version: "2"}
        servers: [{url: https://api.bikes.example/v2}]
        security: [{bearerAuth: []}]
        paths:
          /sessions:
            post:
              security: []
              requestBody:
                required: true
                content: {application/json: {schema: {type: object, required: [email, password],
                      properties: {email: {type: string, format: email}, password: {type: string, minLength: 8}}}}}
              responses:
                '201': {description: in, content: {application/json: {schema: {$ref: '#/components/schemas/Session'}}}}
                '401': {$ref: '#/components/responses/Unauthorized'}
          /sessions/refresh:
            post:
              security: []
              requestBody:
                required: true
                content: {application/json: {schema: {type: object, required: [refresh_token],
                      properties: {refresh_token: {type: string}}}}}
              responses:
                '201': {description: in, content: {application/json: {schema: {$ref: '#/components/schemas/Session'}}}}
          /sessions/logout:
            post:
              responses: {'204': {description: out}}
          /me:
            get:
              responses:
                '200': {description: me, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}
          /bikes:
            get:
              parameters:
                - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
                - {name: per_page, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 2}}
                - {name: status, in: query, schema: {$ref: '#/components/schemas/BikeStatus'}}
              responses:
                '200':
                  description: Bikes
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [items, page, total]
                        properties:
                          items: {type: array, items: {$ref: '#/components/schemas/Bike'}}
                          page: {type: integer}
                          total: {type: integer}
            post:
              requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewBike'}}}}
              responses:
                '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Bike'}}}}
          /bikes/{bikeId}:
            parameters: [{name: bikeId, in: path, required: true, schema: {type: string, format: uuid}}]
            get:
              security: []
              responses:
                '200':
                  description: one
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Bike'}
                      example: {id: 7c9e6679-7425-40de-944b-e07fc1f90ae7, name: Red Rover, status: available,
                            lastServicedAt: '2024-12-01T08:00:00Z'}
            patch:
              requestBody: {required: true, content: {application/json: {schema: {type: object,
                    properties: {name: {type: string}, status: {$ref: '#/components/schemas/BikeStatus'}}}}}}
              responses:
                '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Bike'}}}}
            delete:
              responses: {'204': {description: gone}}
          /rentals:
            get:
              summary: Lists your rentals
              parameters:
                - {name: cursor, in: query, schema: {type: string}}
                - {name: limit, in: query, schema: {type: integer, default: 20, maximum: 50}}
              responses:
                '200':
                  description: Rentals
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [data, nextCursor, hasMore]
                        properties:
                          data: {type: array, items: {$ref: '#/components/schemas/Rental'}}
                          nextCursor: {type: [string, 'null']}
                          hasMore: {type: boolean}
            post:
              requestBody: {required: true, content: {application/json: {schema: {type: object, required: [bikeId],
                    properties: {bikeId: {type: string, format: uuid}}}}}}
              responses:
                '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Rental'}}}}
        components:
          securitySchemes: {bearerAuth: {type: http, scheme: bearer}}
          responses: {Unauthorized: {description: no,
                content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}}
          schemas:
            Session:
              type: object
              required: [accessToken, refreshToken, expiresIn]
              properties: {accessToken: {type: string}, refreshToken: {type: string}, expiresIn: {type: integer, example: 600}}
            Person:
              type: object
              required: [id, email, name]
              properties: {id: {type: string}, email: {type: string, format: email}, name: {type: string, example: Ada}}
            BikeStatus: {type: string, enum: [available, rented, maintenance]}
            NewBike: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 60}}}
            Bike:
              type: object
              required: [id, name, status, lastServicedAt]
              properties: {id: {type: string, format: uuid, readOnly: true}, name: {type: string},
                    status: {$ref: '#/components/schemas/BikeStatus'}, lastServicedAt: {type: string, format: date-time}}
            Rental:
              type: object
              required: [id, bikeId, userId, startedAt]
              properties: {id: {type: string, format: uuid}, bikeId: {type: string, format: uuid}, userId: {type: string},
                    startedAt: {type: string, format: date-time}, endedAt: {type: [string, 'null'], format: date-time}}
            Problem: {type: object, required: [code, message], properties: {code: {type: string}, message: {type: string}}}
        """

    /// No sign-in, whole numbers as ids, a create that returns nothing, a delete with 200.
    static let pets = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: /api}]
        paths:
          /pets:
            get:
              parameters:
                - {name: limit, in: query, schema: {type: integer, maximum: 100}}
                - {name: tags, in: query, schema: {type: array, items: {type: string}}}
              responses:
                '200': {description: Pets, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Pet'}}}}}
            post:
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewPet'}}}}
              responses:
                '200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
          /pets/{id}:
            get:
              responses:
                '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
            put:
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewPet'}}}}
              responses:
                '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
            delete:
              responses: {'200': {description: gone}}
          /pets/{petId}/photos:
            get:
              responses:
                '200': {description: all, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Photo'}}}}}
          /pets/{petId}/visits:
            get:
              responses:
                '200': {description: all, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Visit'}}}}}
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [reason],
                    properties: {reason: {type: string}}}}}}
              responses:
                '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}}
        components:
          schemas:
            NewPet: {type: object, required: [name], properties: {name: {type: string}, tag: {type: string}}}
            Pet:
              allOf:
                - {$ref: '#/components/schemas/NewPet'}
                - {type: object, required: [id], properties: {id: {type: integer, format: int64}}}
            Photo: {type: object, required: [id, url], properties: {id: {type: integer}, url: {type: string, format: uri}}}
            Visit: {type: object, required: [id, pet_id, reason], properties: {id: {type: integer}, pet_id: {type: integer},
                  reason: {type: string}}}
        """

    /// OAuth elsewhere, lists with links, a required parameter, an item that is wrapped.
    static let trains = """
        openapi: 3.1.0
        info: {title: Trains, version: "1"}
        servers: [{url: https://trains.example}]
        security: [{OAuth2: [read]}]
        paths:
          /stations:
            get:
              parameters:
                - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
                - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 10}}
                - {name: search, in: query, schema: {type: string}}
              responses:
                '200': {description: ok, content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Wrapper'},
                      {properties: {data: {type: array, items: {$ref: '#/components/schemas/Station'}}}}]}}}}
          /trips:
            get:
              parameters:
                - {name: origin, in: query, required: true, schema: {type: string, format: uuid}}
                - {name: date, in: query, required: true, schema: {type: string, format: date-time}}
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: object, properties: {data: {type: array,
                      items: {$ref: '#/components/schemas/Trip'}}}}}}}
          /bookings:
            post:
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}}
              responses:
                '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}}
          /bookings/{bookingId}:
            get:
              responses:
                '200': {description: one, content: {application/json: {schema: {type: object, required: [data],
                      properties: {data: {$ref: '#/components/schemas/Booking'}}}}}}
            delete:
              responses: {'204': {description: gone}}
        components:
          securitySchemes:
            OAuth2: {type: oauth2, flows: {authorizationCode: {authorizationUrl: https://a.example/x,
                  tokenUrl: https://a.example/y, scopes: {read: r}}}}
          schemas:
            Links: {type: object, properties: {self: {type: string, format: uri}, next: {type: string, format: uri},
                  prev: {type: string, format: uri}}}
            Wrapper: {type: object, properties: {data: {type: array, items: {type: object}},
                  links: {$ref: '#/components/schemas/Links'}}}
            Station: {type: object, required: [id, name], properties: {id: {type: string, format: uuid}, name: {type: string},
                  country_code: {type: string, enum: [SE, DE]}}}
            Trip: {type: object, properties: {id: {type: string, format: uuid}, price: {type: number}}}
            Booking: {type: object, properties: {id: {type: string, format: uuid, readOnly: true}, trip_id: {type: string,
                  format: uuid}, passenger_name: {type: string}}}
        """

    /// Lists of a user behind `/me`, pages by offset with addresses, rows without a member for the user.
    static let music = """
        openapi: 3.0.3
        info: {title: Music, version: "1"}
        servers: [{url: https://api.music.example/v1}]
        security: [{oauth: [read]}]
        paths:
          /albums:
            get:
              parameters: [{name: ids, in: query, required: true, schema: {type: string}}]
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: object, required: [albums],
                      properties: {albums: {type: array, items: {$ref: '#/components/schemas/Album'}}}}}}}
          /albums/{id}:
            get:
              responses:
                '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Album'}}}}
          /new-releases:
            get:
              parameters:
                - {name: limit, in: query, schema: {type: integer, default: 20, maximum: 50}}
                - {name: offset, in: query, schema: {type: integer, default: 0}}
              responses:
                '200':
                  description: ok
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [href, items, limit, next, offset, previous, total]
                        properties:
                          href: {type: string}
                          items: {type: array, items: {$ref: '#/components/schemas/Album'}}
                          limit: {type: integer}
                          next: {type: string, nullable: true, example: 'https://api.music.example/v1/new-releases?offset=1'}
                          offset: {type: integer}
                          previous: {type: string, nullable: true}
                          total: {type: integer}
          /me/playlists:
            get:
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: object, properties: {items: {type: array,
                      items: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}}}}
        components:
          securitySchemes: {oauth: {type: oauth2, flows: {}}}
          schemas:
            Album: {type: object, required: [id, name, type], properties: {id: {type: string}, name: {type: string},
                  type: {type: string, enum: [album]}, total_tracks: {type: integer}}}
        """

    /// Pages by the ids of rows, forms, a token endpoint of RFC 6749.
    static let toots = """
        openapi: 3.1.0
        info: {title: Toots, version: "1"}
        paths:
          /oauth/token:
            post:
              requestBody:
                content: {application/x-www-form-urlencoded: {schema: {type: object, required: [grant_type],
                      properties: {grant_type: {type: string}, username: {type: string}, password: {type: string},
                      refresh_token: {type: string}}}}}
              responses:
                '200': {description: in, content: {application/json: {schema: {type: object, required: [access_token,
                      token_type], properties: {access_token: {type: string}, token_type: {type: string}}}}}}
          /api/v1/favourites:
            get:
              security: [{bearer: []}]
              parameters:
                - {name: max_id, in: query, schema: {type: string}}
                - {name: limit, in: query, schema: {type: integer}}
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Status'}}}}}
          /api/v1/filters:
            get:
              security: [{bearer: []}]
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Filter'}}}}}
            post:
              security: [{bearer: []}]
              requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {title: {type: string}}}}}}
              responses:
                '200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Filter'}}}}
          /api/v1/filters/{id}:
            get:
              security: [{bearer: []}]
              responses:
                '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Filter'}}}}
            delete:
              security: [{bearer: []}]
              responses: {'200': {description: gone, content: {application/json: {schema: {type: object, maxProperties: 0}}}}}
        components:
          securitySchemes: {bearer: {type: http, scheme: bearer}}
          schemas:
            Status: {type: object, required: [id, content], properties: {id: {type: string}, content: {type: string}}}
            Filter: {type: object, required: [id, title], properties: {id: {type: string}, title: {type: string}}}
        """

    /// Ids of digits only, a key in a header of its own, rows nested below others.
    static let chat = """
        openapi: 3.1.0
        info: {title: Chat, version: "10"}
        servers: [{url: https://chat.example/api/v10}]
        security: [{BotToken: []}]
        paths:
          /auth/login:
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [login, password],
                    properties: {login: {type: string}, password: {type: string}}}}}}
              responses:
                '200': {description: in, content: {application/json: {schema: {type: object, required: [token],
                      properties: {token: {type: string}}}}}}
          /channels/{channel_id}/messages:
            get:
              parameters:
                - {name: before, in: query, schema: {$ref: '#/components/schemas/Snowflake'}}
                - {name: limit, in: query, schema: {type: integer, maximum: 100}}
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Message'}}}}}
            post:
              requestBody: {content: {application/json: {schema: {type: object, properties: {content: {type: string}}}}}}
              responses:
                '200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Message'}}}}
          /guilds:
            get:
              responses:
                '200': {description: ok, content: {application/json: {schema: {type: array,
                      items: {$ref: '#/components/schemas/Guild'}}}}}
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [name],
                    properties: {name: {type: string}}}}}}
              responses:
                '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Guild'}}}}
        components:
          securitySchemes: {BotToken: {type: apiKey, in: header, name: X-Bot-Token}}
          schemas:
            Snowflake: {type: string, pattern: '^(0|[1-9][0-9]*)$'}
            Message: {type: object, required: [id, channel_id, content],
                  properties: {id: {$ref: '#/components/schemas/Snowflake'},
                  channel_id: {$ref: '#/components/schemas/Snowflake'}, content: {type: string}}}
            Guild: {type: object, required: [id, name], properties: {id: {$ref: '#/components/schemas/Snowflake'},
                  name: {type: string}}}
        """
}

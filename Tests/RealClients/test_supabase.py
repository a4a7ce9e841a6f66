"""The SDK of Supabase against Trendy: what it makes of bad networks."""

import httpx
from session import ClientTest
from supabase import create_client
from supabase_auth.errors import AuthApiError, AuthRetryableError


class SupabaseTest(ClientTest):
    def sign_in(self):
        client = create_client(self.server.apis["trendy"], "anon")
        client.auth.sign_in_with_password({"email": "completed@trendy.example", "password": "trendy-pass-1"})
        return client

    def scenario(self, name, is_on=True):
        self.server.call("PUT" if is_on else "DELETE", f"/scenarios/trendy/{name}")

    def test_4_a_refresh_whose_answer_is_lost_keeps_the_session(self):
        client = self.sign_in()
        self.scenario("refresh-answer-lost")
        with self.assertRaises((AuthRetryableError, httpx.TransportError)):
            client.auth.refresh_session()
        self.assertIsNotNone(client.auth.refresh_session().session)

    def test_11_a_refresh_token_of_two_rotations_ago_is_already_used(self):
        client = self.sign_in()
        first = client.auth.get_session().refresh_token
        for _ in range(2):
            client.auth.refresh_session()
        self.server.call("POST", "/clock/advance", {"by": "PT11S"})
        with self.assertRaises(AuthApiError) as found:
            client.auth.refresh_session(first)
        self.assertEqual(found.exception.message, "Invalid Refresh Token: Already Used")

    def test_a_captive_portal_is_no_sign_out(self):
        client = self.sign_in()
        self.scenario("captive-portal")
        with self.assertRaises(Exception):
            client.auth.refresh_session()
        self.scenario("captive-portal", is_on=False)
        self.assertIsNotNone(client.auth.refresh_session().session)

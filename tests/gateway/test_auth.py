"""Tokens: what is believed, and what is not."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from livebutton.gateway.auth import (
    MAX_TOKEN,
    Signer,
    Unauthorized,
    load_secret,
)

SECRET = b"a secret that is only for the tests here"
NOW_S = 1_000_000


def signer(secret: bytes = SECRET, now_s: float = NOW_S) -> Signer:
    return Signer(secret, lambda: now_s)


def claims(**other: Any) -> dict[str, Any]:
    fields = {
        "iss": "livebutton",
        "aud": "livebutton",
        "jti": "x",
        "role": "floor",
        "iat": NOW_S,
        "exp": NOW_S + 60,
    }
    return {name: value for name, value in {**fields, **other}.items() if value is not None}


def signed(secret: bytes = SECRET, algorithm: str = "HS256", **other: Any) -> str:
    key = OctKey.import_key(secret)
    return jwt.encode({"alg": algorithm}, claims(**other), key, algorithms=[algorithm])


def segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_token_says_what_it_was_made_to_say() -> None:
    token, made = signer().mint("player", ttl_s=60, tables=("t7",), seat=4, name="Dan", room="main")
    assert signer().verify(token) == made
    assert (made.audience, made.label, made.exp) == ("seat:4", "player:Dan", NOW_S + 60)


@pytest.mark.parametrize(
    ("role", "audience"),
    [("display", "public"), ("dealer", "staff"), ("floor", "staff"), ("backend", "staff")],
)
def test_the_role_decides_the_audience(role: Any, audience: str) -> None:
    assert signer().mint(role, ttl_s=60)[1].audience == audience


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "a.b.c",
        "a.b.c.d.e",
        "🂡.🂡.🂡",
        "x" * (MAX_TOKEN + 1),
        signed(secret=b"the secret of some other server, or none"),
        signed(algorithm="HS512"),
        signed() + "x",
        signed()[:-4] + "AAAA",
        f"{segment({'alg': 'none', 'typ': 'JWT'})}.{segment(claims())}.",
        f"{segment({'alg': 'None'})}.{segment(claims())}.x",
        f"{segment({'alg': 'HS256'})}.{segment(claims())}.",
        f"{segment({})}.{segment(claims())}.{signed().split('.')[2]}",
        f"{segment({'alg': 'HS256', 'crit': ['exp']})}.{segment(claims())}.x",
        jwt.encode({"alg": "RS256"}, claims(), RSAKey.generate_key(2048), algorithms=["RS256"]),
    ],
    ids=lambda token: token[:12],
)
def test_a_token_that_we_did_not_sign_is_not_believed(token: str) -> None:
    with pytest.raises(Unauthorized):
        signer().verify(token)


def test_a_public_key_taken_for_our_secret_opens_nothing() -> None:
    public = RSAKey.generate_key(2048).as_pem(private=False)
    with pytest.raises(Unauthorized):
        signer().verify(signed(secret=b"x" * 32 + public[:10]))


@pytest.mark.parametrize(
    "wrong",
    [
        {"iss": "another"},
        {"iss": None},
        {"aud": "another"},
        {"role": "owner"},
        {"role": None},
        {"jti": ""},
        {"jti": None},
        {"exp": NOW_S},
        {"exp": NOW_S - 1},
        {"exp": None},
        {"exp": "tomorrow"},
        {"iat": NOW_S + 3_600},
        {"nbf": NOW_S + 3_600},
        {"nbf": NOW_S + 3_600.5},
        {"nbf": float("nan")},
        {"nbf": "tomorrow"},
        {"nbf": True},
        {"tables": "t7"},
        {"tables": [7]},
        {"seat": 99},
        {"seat": True},
        {"room": 7},
        {"role": "player"},
        {"role": "player", "seat": 4},
        {"role": "player", "tables": ["t7"]},
        {"role": "display", "seat": 4},
    ],
    ids=str,
)
def test_a_token_whose_claims_do_not_fit_is_not_believed(wrong: dict[str, Any]) -> None:
    signer().verify(signed())
    with pytest.raises(Unauthorized):
        signer().verify(signed(**wrong))


@pytest.mark.parametrize("nbf", [0, NOW_S - 1, NOW_S - 0.5, NOW_S + 2])
def test_a_token_is_believed_from_its_time_on_give_or_take_a_clock(nbf: float) -> None:
    assert signer().verify(signed(nbf=nbf)) == signer().verify(signed())


def test_a_token_that_is_renewed_keeps_its_id_and_its_length() -> None:
    _, first = signer().mint("display", ttl_s=60, tables=("t7",))
    token, second = signer(now_s=NOW_S + 50).renew(first)
    assert (second.id, second.exp) == (first.id, NOW_S + 110)
    assert signer(now_s=NOW_S + 100).verify(token) == second


def test_the_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    secret = load_secret(folder)
    assert len(secret) >= 32
    assert load_secret(folder) == secret
    assert (folder / "secret").stat().st_mode & 0o777 == 0o600


def test_a_secret_that_is_given_must_be_long(tmp_path: Path) -> None:
    assert load_secret(tmp_path, "x" * 32) == b"x" * 32
    assert not (tmp_path / "secret").exists()
    with pytest.raises(ValueError, match="at least 32"):
        load_secret(tmp_path, "short")


def test_an_empty_secret_file_is_not_taken_for_a_secret(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("\n")
    with pytest.raises(ValueError, match="secret"):
        load_secret(tmp_path)

//! Tests which columns look like secrets and which do not.

use super::*;

fn of(table: &str, column: &str, values: Values) -> Option<Why> {
    why(Subject {
        table,
        column,
        values,
        is_key: false,
        next_to_secret: false,
    })
}

const TEXT: Values = Values::Text(None);

/// Rules b123, b581.
#[test]
fn names_of_secrets_are_recognized_by_their_words_in_any_case() {
    for name in "
        password password_hash UserPassword userpassword encrypted_password passwords password2
        passwd pwd user_pwd pass pass_crypt pass_salt user_pass passphrase pass_phrase passcode
        pin user_pin pin_code pin_hash secret client_secret clientSecret secrets api_token reset_token token tokens
        salt hash bcrypt ha1 otp totp totp_seed mfa_seed mfaSeed two_factor_secret
        api_key apiKey apikey stripe_api_key access_key AccessKey accesskey secret_key ssh_private_key session_key
        activation_key license_key backup_codes backupCodes recovery_codes authorization_code verification_code
        access_code security_code session_id sessionId sessionid jwt id_jwt cookie cookies session_data
        credential credentials credentials_json cvv CVV cvv2 card_cvc ssn SSN social_security_number iban IBAN
        cardnumber card_number CardNumber credit_card_number creditcardapprovalcode nationalidnumber national_id
        passport_number bank_account_number csrf_token nonce security_answer connection_string password_hint
    "
    .split_whitespace()
    {
        assert!(of("users", name, TEXT).is_some(), "{name}");
    }
    for name in ["pin", "cvv", "ssn", "card_number", "password", "otp"] {
        assert!(of("users", name, Values::Number).is_some(), "{name}");
    }
}

/// Rules b123, b581.
#[test]
fn names_that_only_resemble_secrets_are_not() {
    for name in "
        hashtag hash_tag title name key sort_key cache_key public_key primary_key passenger passengers secretary
        pinned pinned_at spin spinner opinion shipping keyboard monkey turkey country_iso iso_code country_code
        zip_code postal_code currency_code code compass bypass boarding_pass pass_rate
        token_count token_type token_prefix password_changed_at password_policy cookie_policy
        secret_name credential_type session session_type session_idle_time author_id company_id
        content_hash commit_hash file_hash account_number phone_number number order_number
        assassin class glass address password_attempts credit_card_type card_name hashed_tags_count id
        international_id internationalid description passport_type security_level
    "
    .split_whitespace()
    {
        assert_eq!(of("users", name, TEXT), None, "{name}");
    }
    for name in [
        "tokens",
        "prompt_tokens",
        "max_tokens",
        "hash",
        "salt",
        "session_id",
        "token_id",
        "password_id",
        "cookies",
        "national_id",
    ] {
        assert_eq!(of("users", name, Values::Number), None, "{name}");
    }
    for name in [
        "is_secret",
        "has_password",
        "token_used_on",
        "password_reset",
    ] {
        assert_eq!(of("users", name, Values::Harmless), None, "{name}");
    }
}

/// Rule b581.
#[test]
fn a_plain_name_is_a_secret_where_its_table_has_nothing_else() {
    for (table, column) in [
        ("api_keys", "key"),
        ("ApiKeys", "Key"),
        ("access_tokens", "value"),
        ("authtoken_token", "key"),
        ("secrets", "data"),
        ("sessions", "payload"),
        ("sessions", "id"),
    ] {
        let wanted = Some(Why::Table(table.to_owned()));
        assert_eq!(of(table, column, TEXT), wanted, "{table}.{column}");
    }
    for (table, column) in [
        ("settings", "key"),
        ("settings", "value"),
        ("metadata", "data"),
        ("keys", "key"),
        ("api_keys", "name"),
        ("sessions", "code"),
    ] {
        assert_eq!(of(table, column, TEXT), None, "{table}.{column}");
    }
    assert_eq!(of("sessions", "id", Values::Uuid), None);
    assert_eq!(of("tokens", "id", Values::Number), None);
    let pair = Subject {
        table: "client_applications",
        column: "key",
        values: TEXT,
        is_key: false,
        next_to_secret: true,
    };
    assert!(why(pair).is_some());
}

/// Rule b581.
#[test]
fn a_type_of_the_size_of_a_hash_is_a_secret_unless_it_is_a_key_or_called_something_else() {
    for length in [32, 40, 60, 64, 128] {
        let wanted = Some(Why::Type(format!("char({length})")));
        assert_eq!(of("editor", "check", Values::Text(Some(length))), wanted);
    }
    for length in [20, 32, 64] {
        let wanted = Some(Why::Type(format!("binary({length})")));
        assert_eq!(of("editor", "check", Values::Bytes(Some(length))), wanted);
    }
    for values in [
        TEXT,
        Values::Text(Some(2)),
        Values::Text(Some(36)),
        Values::Bytes(None),
        Values::Bytes(Some(8)),
        Values::Bytes(Some(255)),
        Values::Uuid,
    ] {
        assert_eq!(of("editor", "check", values), None, "{values:?}");
    }
    for name in ["name", "product_id", "uuid", "e_mail", "city", "checksum"] {
        assert_eq!(of("shop", name, Values::Text(Some(64))), None, "{name}");
    }
    let key = Subject {
        table: "disc",
        column: "digest",
        values: Values::Text(Some(40)),
        is_key: true,
        next_to_secret: false,
    };
    assert_eq!(why(key), None);
}

/// Rule b582.
#[test]
fn what_a_column_is_taken_for_a_secret_by_is_told() {
    for (table, column, values, said) in [
        ("users", "pass_crypt", TEXT, "`pass_crypt` in its name"),
        ("users", "apiToken", TEXT, "`token` in its name"),
        ("users", "backupCodes", TEXT, "`backup_codes` in its name"),
        ("api_keys", "key", TEXT, "a value of `api_keys`"),
        (
            "users",
            "check",
            Values::Text(Some(60)),
            "its type `char(60)` has the size of a hash",
        ),
    ] {
        assert_eq!(of(table, column, values).unwrap().to_string(), said);
    }
}

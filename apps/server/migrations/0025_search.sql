-- Pairs of neighbouring characters in lower case: a text that holds a keyword holds each pair of it. Two Chinese
-- characters are a common keyword, and too short for trigrams.
create function bigrams(text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(lower($1), n, 2)), '{}') from generate_series(1, char_length($1) - 1) n $$;

create index users_search on users using gin (bigrams(username || e'\n' || nickname));
create index login_log_search on login_log using gin (bigrams(username));
create index audit_log_search on audit_log using gin (bigrams(username));

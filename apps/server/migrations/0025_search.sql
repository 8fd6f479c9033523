-- Pairs of neighbouring characters in lower case: a text that holds a keyword holds each pair of it. Two Chinese
-- characters are a common keyword, and too short for trigrams.
create function bigrams(text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(lower($1), n, 2)), '{}') from generate_series(1, char_length($1) - 1) n $$;

-- Kept, since a word that all have is compared with every row, and making pairs takes longer than comparing them.
alter table users add column search text[] not null generated always as (bigrams(username || e'\n' || nickname)) stored;
create index users_search on users using gin (search);

-- Logs are read in a window of time, and names there are short: made when needed.
create index login_log_search on login_log using gin (bigrams(username));
create index audit_log_search on audit_log using gin (bigrams(username));

-- What somebody is at his place of work: values of the dictionary employee_post, which people edit. That each is an entry is
-- checked where it is written; one that is disabled or deleted later stays with whoever has it.
alter table users add column post_ids integer[] not null default '{}'
  constraint users_post_ids_check check (cardinality(post_ids) <= 10 and array_position(post_ids, null) is null);

-- Rows written together queue themselves together: an import writes a hundred thousand.
drop trigger audit_log_queue on audit_log;
create or replace function queue_for_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed select id from added;
  return null;
end $$;
create trigger audit_log_queue after insert on audit_log
  referencing new table as added for each statement execute function queue_for_seal();

-- The logs have a third spelling, which opens them since spellings open what they stand for (decision 024).
create or replace function office_of(permission text) returns text language sql immutable as $$
  select case
    when permission ~ '^(system|sys|infra):(operate-log|login-log):' then 'AUDIT'
    when permission ~ '^(system|sys):permission:' then 'SECURITY'
    when permission ~ '^(system|sys):role:(create|update|delete|add|edit)$' then 'SECURITY'
    when permission ~ '^(system|sys):user:security$' then 'SECURITY'
  end
$$;

-- Names that look the same are the same: unique without case, width, blanks and invisible characters. Mirrors foldName of
-- packages/contract/src/text.ts.
create function fold_name(name text) returns text language sql immutable strict parallel safe
return normalize(
  regexp_replace(
    lower(normalize(name, nfkc)),
    '[\s\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB]',
    '',
    'g'
  ),
  nfkc
);

-- A database that has such names keeps them, and says so; nobody is kept from upgrading by a name.
do $$
declare
  folded record;
begin
  for folded in
    select * from (values
      ('dept', 'dept_name_key', 'parent_id, fold_name(name)'),
      ('role', 'role_name_key', 'fold_name(name)'),
      ('menu', 'menu_name_key', 'parent_id, fold_name(name)'),
      ('dict_type', 'dict_type_name_key', 'fold_name(name)'),
      ('school', 'school_name_key', 'fold_name(name)'),
      ('school_term', 'school_term_key', 'dept_id, fold_name(name)'),
      ('place', 'place_name_key', 'school_id, parent_id, fold_name(name)'),
      ('device_model', 'device_model_name_key', 'fold_name(vendor), fold_name(name)'),
      ('procedure', 'procedure_name_key', 'kind, fold_name(name)'),
      ('notify_policy', 'notify_policy_name_key', 'fold_name(name)'),
      ('warn_rule', 'warn_rule_name_key', 'fold_name(name)'),
      ('police_unit', 'police_unit_name_key', 'dept_id, fold_name(name)')
    ) as names (relation, key, columns)
  loop
    begin
      execute format(
        'create unique index %I on %I (%s) nulls not distinct',
        folded.key || '_fold', folded.relation, folded.columns
      );
    exception when unique_violation then
      raise warning 'names in % differ only in case, width or blanks, and stay: %', folded.relation, sqlerrm;
    end;
  end loop;
end $$;

-- The built-in rules get the words of the trade that screens use. Renamed rules keep their name.
create temporary table renamed (old_name text, new_name text) on commit drop;
insert into renamed values
  ('静默紧急报警', '静默报警'),
  ('医疗求助', '医疗急救'),
  ('语音求救（高声）', '语音求助（高声）'),
  ('语音求救（重复）', '语音求助（重复）'),
  ('语音求救', '语音求助');

update warn_rule set name = new_name
from renamed join seeded on seeded.key = 'rule/' || old_name
where warn_rule.id = seeded.row_id and warn_rule.name = old_name
  and not exists (select from warn_rule other where fold_name(other.name) = fold_name(new_name));

update seeded set key = 'rule/' || new_name from renamed where key = 'rule/' || old_name;

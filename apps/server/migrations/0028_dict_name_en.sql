-- What a dictionary is called in English; without it the name is shown in either language.
alter table dict_type add name_en varchar(100);

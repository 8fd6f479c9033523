import { FilterOutlined } from '@ant-design/icons'
import { modes, openStates } from '@tocsin/contract/alarm/state-machine'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnClasses } from '@tocsin/contract/alarm/rule'
import { labelIn } from '@tocsin/contract/field'
import { Badge, Button, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { AppPopover } from '#ui/overlay/AppPopover.tsx'
import { type Filter, noFilter, schoolsOf } from './filter.ts'

type Props = {
  filter: Filter
  list: readonly WarnRecordRow[]
  hidden: number
  open: boolean
  onOpen: (open: boolean) => void
  onChange: (filter: Filter) => void
}

const { shape } = WarnRecordRow

const Choices = ({ filter, list, onChange }: Pick<Props, 'filter' | 'list' | 'onChange'>) => {
  const lang = useLang()
  const { t } = useTranslation()
  const levels = ['1', '2', '3', '4'] as const
  const fields = {
    state: { label: labelIn(lang, shape.state), options: enumOptions('recordState', openStates, lang) },
    level: { label: labelIn(lang, shape.level), options: enumOptions('level', levels, lang) },
    class: { label: labelIn(lang, shape.class), options: enumOptions('warnClass', warnClasses, lang) },
    mode: { label: labelIn(lang, shape.mode), options: enumOptions('mode', modes, lang) },
    schoolId: { label: labelIn(lang, shape.schoolId), options: schoolsOf(list, filter.schoolId) },
  }
  const names = Object.keys(fields) as (keyof typeof fields)[]
  return (
    <div className="desk-choices">
      {names.map((name) => (
        <label key={name}>
          <span>{fields[name].label}</span>
          <Select<(string | number)[]>
            mode="multiple"
            allowClear
            value={filter[name]}
            options={fields[name].options}
            optionFilterProp="label"
            placeholder={t('list.all')}
            onChange={(chosen) => onChange({ ...filter, [name]: chosen })}
          />
        </label>
      ))}
    </div>
  )
}

/** The filter of the list, always with the number of hidden records. */
export const FilterBar = ({ filter, list, hidden, open, onOpen, onChange }: Props) => {
  const { t } = useTranslation()
  const active = Object.values(filter).filter((chosen) => chosen.length > 0).length
  return (
    <div className="desk-filter">
      <AppPopover
        open={open}
        onOpenChange={onOpen}
        placement="bottomLeft"
        title={t('desk.filter')}
        content={<Choices filter={filter} list={list} onChange={onChange} />}
      >
        <Badge count={active} size="small" color="blue">
          <Button size="small" icon={<FilterOutlined />} title={`${t('desk.filter')} ( / )`}>
            {t('desk.filter')}
          </Button>
        </Badge>
      </AppPopover>
      {active > 0 && (
        <span className="desk-hidden" role="status">
          {t('desk.hidden', { n: hidden })}
          <Button size="small" type="link" onClick={() => onChange(noFilter)}>
            {t('desk.showAll')}
          </Button>
        </span>
      )}
    </div>
  )
}

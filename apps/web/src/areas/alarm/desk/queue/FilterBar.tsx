import { FilterOutlined } from '@ant-design/icons'
import { modes, openStates } from '@tocsin/contract/alarm/machine'
import { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnClasses } from '@tocsin/contract/alarm/rule'
import { labelIn } from '@tocsin/contract/field'
import { Badge, Button, Popover, Select } from 'antd'
import { type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { wordOptions } from '#texts/words.ts'
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

type ChoicesProps = Pick<Props, 'filter' | 'list' | 'onChange'> & { box: RefObject<HTMLDivElement | null> }

const Choices = ({ box, filter, list, onChange }: ChoicesProps) => {
  const lang = useLang()
  const { t } = useTranslation()
  const levels = ['1', '2', '3', '4'] as const
  const fields = {
    state: { label: labelIn(lang, shape.state), options: wordOptions('recordState', openStates, lang) },
    level: { label: labelIn(lang, shape.level), options: wordOptions('level', levels, lang) },
    class: { label: labelIn(lang, shape.class), options: wordOptions('warnClass', warnClasses, lang) },
    mode: { label: labelIn(lang, shape.mode), options: wordOptions('mode', modes, lang) },
    schoolId: { label: labelIn(lang, shape.schoolId), options: schoolsOf(list, filter.schoolId) },
  }
  const names = Object.keys(fields) as (keyof typeof fields)[]
  return (
    <div className="desk-choices" ref={box}>
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

/** Which records the list shows, and always how many it does not. */
export const FilterBar = ({ filter, list, hidden, open, onOpen, onChange }: Props) => {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const choices = useRef<HTMLDivElement>(null)
  // Before it is shown the kit's pop-up takes no focus, and when it goes it gives none back.
  const turned = (shown: boolean) => {
    const now = document.activeElement
    if (shown) choices.current?.querySelector('input')?.focus({ preventScroll: true })
    else if (now === document.body || choices.current?.contains(now)) button.current?.focus({ preventScroll: true })
  }
  const active = Object.values(filter).filter((chosen) => chosen.length > 0).length
  return (
    <div className="desk-filter">
      <Popover
        open={open}
        onOpenChange={onOpen}
        afterOpenChange={turned}
        trigger="click"
        placement="bottomLeft"
        title={t('desk.filter')}
        content={<Choices box={choices} filter={filter} list={list} onChange={onChange} />}
      >
        <Badge count={active} size="small" color="blue">
          <Button ref={button} size="small" icon={<FilterOutlined />} title={`${t('desk.filter')} ( / )`}>
            {t('desk.filter')}
          </Button>
        </Badge>
      </Popover>
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

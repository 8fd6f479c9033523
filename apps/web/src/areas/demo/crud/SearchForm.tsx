import { DEMO_KIND, DemoItemQuery } from '@tocsin/contract/demo/item'
import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Form, Input, InputNumber } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { Filter, DateRangeFilter } from '#ui/list/filters.tsx'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { StatusSelect } from '#ui/cell/Status.tsx'
import type { CrudConfig, SearchField, SearchInput } from './crud.ts'
import { TagsInput } from './inputs.tsx'

const inputs: Record<Exclude<SearchInput, 'period'>, () => ReactNode> = {
  text: () => <Input allowClear maxLength={50} />,
  dict: () => <DictSelect type={DEMO_KIND} allowClear />,
  dept: () => <DeptSelect allowClear />,
  status: () => <StatusSelect allowClear />,
  tags: () => <TagsInput allowClear />,
  percent: () => <InputNumber min={0} max={100} precision={0} suffix="%" style={{ width: '100%' }} />,
}

const One = ({ name, input }: SearchField) => {
  const { t } = useTranslation()
  if (input === 'period') return <DateRangeFilter label={t('demo.curdPeriod')} hint={t('demo.curdPeriodHint')} />
  return (
    <Filter of={DemoItemQuery} name={name}>
      {inputs[input]()}
    </Filter>
  )
}

/** The first filters of the configuration, and the others on demand. */
export const SearchForm = ({ search, showNumber }: Pick<CrudConfig, 'search' | 'showNumber'>) => {
  const { t } = useTranslation()
  const [all, setAll] = useState(false)
  return (
    <>
      {search.slice(0, all ? search.length : showNumber).map((field) => (
        <One key={field.name} {...field} />
      ))}
      {search.length > showNumber && (
        <Form.Item label={<span aria-hidden="true">&nbsp;</span>} className="demo-more-filters">
          <Button
            type="link"
            icon={all ? <UpOutlined /> : <DownOutlined />}
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {t(all ? 'demo.curdLess' : 'demo.curdMore')}
          </Button>
        </Form.Item>
      )}
    </>
  )
}

import { FilterOutlined } from '@ant-design/icons'
import { Button, Flex, Form } from 'antd'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm, fromFormValues, toFormValues } from './filters.tsx'

type Props = {
  values: Record<string, unknown>
  onSearch: (values: Record<string, unknown>) => void
  children: ReactNode
}

const meant = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, v]) => v !== undefined && v !== null && v !== '' && !(Array.isArray(v) && !v.length),
    ),
  )

/** The filters of a list as a form: Enter searches, reset clears and searches again (wire 3). On a phone they open by a button. */
export const FilterBar = ({ values, onSearch, children }: Props) => {
  const { t } = useTranslation()
  const [form] = Form.useForm()
  const name = useId()
  const [unfolded, setUnfolded] = useState(false)
  const shown = useRef(values)
  useEffect(() => {
    // The address is the source: the form follows the back button by creating every field again.
    if (shown.current !== values) form.resetFields()
    shown.current = values
  }, [form, values])
  const { pageNo: _no, pageNum: _num, pageSize: _size, orderBy: _orderBy, ...chosen } = values
  const active = Object.keys(meant(chosen)).length
  const search = (given: Record<string, unknown>) => {
    setUnfolded(false)
    onSearch(given)
  }
  return (
    <>
      <Button
        className="filter-fold"
        icon={<FilterOutlined />}
        aria-expanded={unfolded}
        onClick={() => setUnfolded(!unfolded)}
      >
        {active > 0 ? t('list.filtered', { n: active }) : t('list.filter')}
      </Button>
      <Form
        form={form}
        initialValues={toFormValues(values)}
        // Keeps the ids apart from those of a form opened over the list, and of lists on hidden pages.
        name={name}
        layout="vertical"
        className="filter-bar"
        data-unfolded={unfolded}
        onFinish={(given: Record<string, unknown>) => search(meant(fromFormValues(given)))}
      >
        <FilterForm value={name}>{children}</FilterForm>
        <Flex gap="small" className="filter-buttons">
          <Button type="primary" htmlType="submit">
            {t('list.search')}
          </Button>
          <Button onClick={() => search({})}>{t('list.reset')}</Button>
        </Flex>
      </Form>
    </>
  )
}

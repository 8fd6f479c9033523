import { DownOutlined, FilterOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Flex, Form } from 'antd'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm, fromFormValues, toFormValues } from './filters.tsx'
import './list.css'

type Values = Record<string, unknown>

type Props = {
  values: Values
  /** @returns the values as the address then has them, undefined for invalid ones, which filter nothing. */
  onSearch: (values: Values) => Values | undefined
  /** Runs when the search button is pressed for what the list shows already. */
  onRepeat: () => void
  children: ReactNode
}

const meant = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, v]) => v !== undefined && v !== null && v !== '' && !(Array.isArray(v) && !v.length),
    ),
  )

/** The filters alone, without the page and the order of the rows. */
const chosenOf = ({ pageNo: _no, pageNum: _num, pageSize: _size, orderBy: _orderBy, ...chosen }: Values) =>
  meant(chosen)

/** A typed text rests this long before it filters. */
const PAUSE_MS = 400

/** Applies what was chosen or typed after a pause, but no half of a Chinese word. */
const useDelay = (apply: () => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isComposing = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const start = () => {
    clearTimeout(timer.current)
    if (!isComposing.current) timer.current = setTimeout(apply, PAUSE_MS)
  }
  return {
    start,
    cancel: () => clearTimeout(timer.current),
    composition: {
      onCompositionStart: () => {
        isComposing.current = true
        clearTimeout(timer.current)
      },
      onCompositionEnd: () => {
        isComposing.current = false
        start()
      },
    },
  }
}

/** The names of the filters that have a value: they stay visible. */
const useActive = (values: Values): readonly string[] =>
  useMemo(() => {
    const { from, to, ...others } = chosenOf(values)
    return [...Object.keys(others), ...(from || to ? ['period'] : [])]
  }, [values])

/**
 * The filters of a list in one row, the rest behind a button. A change filters at once, Enter or the search button
 * without the pause; reset clears them (wire 3). On a phone they open by a button.
 */
export const FilterBar = ({ values, onSearch, onRepeat, children }: Props) => {
  const { t } = useTranslation()
  const [form] = Form.useForm()
  const name = useId()
  const [unfolded, setUnfolded] = useState(false)
  const [hasMore, setHasMore] = useState(false)
  const shown = useRef(values)
  /** What the own change leads to: the form has it already, and keeps its focus. */
  const expected = useRef<string>(undefined)
  useEffect(() => {
    // The address is the source: the form follows the back button by creating every field again.
    const isOwn = JSON.stringify(chosenOf(values)) === expected.current
    if (shown.current !== values && !isOwn) form.resetFields()
    shown.current = values
    expected.current = undefined
  }, [form, values])
  const active = useActive(values)
  const apply = () => {
    const next = onSearch(meant(fromFormValues(form.getFieldsValue() as Values)))
    if (next) expected.current = JSON.stringify(chosenOf(next))
  }
  const delay = useDelay(apply)
  const search = () => {
    delay.cancel()
    setUnfolded(false)
    apply()
    if (expected.current === JSON.stringify(chosenOf(values))) onRepeat()
  }
  const reset = () => {
    delay.cancel()
    expected.current = undefined
    form.resetFields()
    onSearch({})
  }
  const context = useMemo(() => ({ name, active }), [name, active])
  return (
    <>
      <Button
        className="filter-fold"
        icon={<FilterOutlined />}
        aria-expanded={unfolded}
        onClick={() => setUnfolded(!unfolded)}
      >
        {active.length > 0 ? t('list.filtered', { n: active.length }) : t('list.filter')}
      </Button>
      <Form
        form={form}
        initialValues={toFormValues(values)}
        // Keeps the ids apart from those of a form opened over the list, and of lists on hidden pages.
        name={name}
        layout="vertical"
        variant="borderless"
        className="filter-bar"
        data-unfolded={unfolded}
        data-more={hasMore}
        onValuesChange={delay.start}
        {...delay.composition}
        onFinish={search}
      >
        <FilterForm value={context}>{children}</FilterForm>
        <Flex gap={4} className="filter-buttons">
          <Button
            className="filter-more"
            type="text"
            icon={hasMore ? <UpOutlined /> : <DownOutlined />}
            iconPlacement="end"
            aria-expanded={hasMore}
            onClick={() => setHasMore(!hasMore)}
          >
            {t(hasMore ? 'list.fewerFilters' : 'list.moreFilters')}
          </Button>
          <Button
            type="text"
            htmlType="submit"
            icon={<SearchOutlined />}
            aria-label={t('list.search')}
            title={t('list.search')}
          />
          <Button type="text" onClick={reset}>
            {t('list.reset')}
          </Button>
        </Flex>
      </Form>
    </>
  )
}

import { PlusOutlined } from '@ant-design/icons'
import {
  orderKinds,
  orderLights,
  type OrderView,
  orderViews,
  SupervisionOrderQuery,
} from '@tocsin/contract/supervise/order'
import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { orderStates } from '@tocsin/contract/supervise/order-machine'
import { Button, Flex, Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { DeptSelect } from '#areas/access/DeptSelect.tsx'
import { enumOptions } from '#texts/enum-labels.ts'
import { SavedViews } from '#shell/saved-views/SavedViews.tsx'
import { useLang } from '#texts/i18n.ts'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { OrderBoard } from './OrderBoard.tsx'
import { orderColumns } from './order-columns.tsx'
import './supervise.css'

/** Lights change by time alone, without an event. */
const POLL_MS = 60_000

const ALL = 'ALL'
const BOARD = 'BOARD'
const VIEW = 'view'

/** The views of the list and the board; the view is in the address, so that a link keeps it. */
const ViewTabs = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const [params, setParams] = useSearchParams()
  return (
    <Segmented
      className="order-views"
      value={params.get(VIEW) ?? ALL}
      options={[
        { value: ALL, label: t('list.all') },
        ...enumOptions('orderView', orderViews, lang),
        { value: BOARD, label: t('order.board') },
      ]}
      // The filters of one view mean little in another.
      onChange={(next) => setParams(next === ALL ? {} : { [VIEW]: next })}
    />
  )
}

const filters = (
  <>
    <Filter of={SupervisionOrderQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="light">
      <EnumSelect kind="orderLight" values={orderLights} />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="state">
      <EnumSelect kind="orderState" values={orderStates} />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="kind">
      <EnumSelect kind="orderKind" values={orderKinds} />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="districtId">
      <DeptSelect allowClear />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="dueFrom">
      <InstantPicker />
    </Filter>
    <Filter of={SupervisionOrderQuery} name="dueTo">
      <InstantPicker />
    </Filter>
  </>
)

/** The view stands beside the filters, which are reset without it. */
const OrderFilters = SupervisionOrderQuery.omit({ view: true })

const useView = (): OrderView | undefined => {
  const [params] = useSearchParams()
  return orderViews.find((view) => view === params.get(VIEW))
}

/** Supervision orders that the user's side issued, must do or assists: overdue first, then due soon. */
const OrderList = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayDraft = useHasPermission('supervise:order:draft')
  const mayExport = useHasPermission('supervise:order:export')
  const view = useView()
  const remove = useDeletion(supervisionOrders.delete)
  const create = mayDraft && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/supervise/form')}>
      {t('order.create')}
    </Button>
  )
  return (
    <ListPage
      query={OrderFilters}
      source={(query) => queryFor(supervisionOrders.page, { query: { ...query, view } })}
      everyMs={POLL_MS}
      columns={orderColumns}
      rowKey={({ id }) => id}
      filters={filters}
      left={create}
      exporting={(query) => mayExport && <ExportButton calls={supervisionOrders} query={{ ...query, view }} />}
      onOpen={({ id }) => void navigate(`/supervise/detail/${id}`)}
      actions={(row) => (
        <RowActions
          items={[
            { key: 'detail', label: t('list.detail'), run: () => void navigate(`/supervise/detail/${row.id}`) },
            mayDraft &&
              row.state === 'DRAFT' && {
                key: 'edit',
                label: t('list.edit'),
                run: () => void navigate(`/supervise/form?id=${row.id}`),
              },
            mayDraft &&
              row.state === 'DRAFT' && {
                key: 'delete',
                label: t('list.delete'),
                run: () => void remove(row.id, row.title),
                danger: true,
              },
          ]}
        />
      )}
      empty={{ text: t('order.none'), next: create }}
    />
  )
}

/** The list with its views, or the board by district. */
export const OrderPage = () => {
  const [params] = useSearchParams()
  return (
    <Flex vertical gap="middle">
      <ViewTabs />
      <SavedViews list="supervise/order" />
      {params.get(VIEW) === BOARD ? <OrderBoard /> : <OrderList />}
    </Flex>
  )
}

import {
  deliveries,
  deliveryChannels,
  deliveryReasons,
  type DeliveryRow,
  deliverySubjects,
} from '@tocsin/contract/notify/delivery'
import { deliveryStates } from '@tocsin/contract/notify/delivery-machine'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePathOf } from '#shell/path-of.ts'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { detailColumns, listColumns } from './delivery-columns.tsx'
import { ResendButton } from './ResendButton.tsx'

const query = deliveries.page.query

const filters = (
  <>
    <Filter of={query} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={query} name="channel">
      <EnumSelect kind="deliveryChannel" values={deliveryChannels} />
    </Filter>
    <Filter of={query} name="state">
      <EnumSelect kind="deliveryState" values={deliveryStates} />
    </Filter>
    <Filter of={query} name="reason">
      <EnumSelect kind="deliveryReason" values={deliveryReasons} />
    </Filter>
    <Filter of={query} name="subjectType">
      <EnumSelect kind="deliverySubject" values={deliverySubjects} />
    </Filter>
  </>
)

const ToPolicies = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const path = usePathOf()('notify/policy')
  return path === undefined ? null : <Button onClick={() => navigate(path)}>{t('delivery.toPolicies')}</Button>
}

export const DeliveryPage = () => {
  const { t } = useTranslation()
  const mayExport = useHasPermission('notify:delivery:export')
  const [open, setOpen] = useState<DeliveryRow>()
  return (
    <>
      <ListPage
        query={query}
        source={(given) => queryFor(deliveries.page, { query: given })}
        columns={listColumns}
        rowKey={({ id }) => id}
        filters={filters}
        exporting={(given) => mayExport && <ExportButton calls={deliveries} query={given} />}
        actions={(row) => (
          <Flex gap={4}>
            <Button size="small" type="link" onClick={() => setOpen(row)}>
              {t('list.detail')}
            </Button>
            <ResendButton row={row} />
          </Flex>
        )}
        empty={{ text: t('delivery.none'), next: <ToPolicies /> }}
      />
      {open && (
        <ReadDrawer size="min(560px, 100vw)" title={open.title} onClose={() => setOpen(undefined)}>
          <DescriptionList title={t('delivery.detail')} row={open} columns={detailColumns} />
        </ReadDrawer>
      )}
    </>
  )
}

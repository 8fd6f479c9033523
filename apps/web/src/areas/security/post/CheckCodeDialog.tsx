import { type SecurityPostRow, securityPosts } from '@tocsin/contract/security/post'
import { useQuery } from '@tanstack/react-query'
import { Flex, QRCode, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { checkInAddress } from '../check-in-address.ts'
import '../duty.css'

const SIZE = 240

/** The QR code of a post to print: scanning it opens the check-in. */
export const CheckCodeDialog = ({ post, onClose }: { post: SecurityPostRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(securityPosts.checkCode, { query: { id: post.id } }))
  return (
    <AppModal
      title={t('duty.printCode')}
      okText={t('duty.print')}
      cancelText={t('list.cancel')}
      onOk={() => window.print()}
      onCancel={onClose}
    >
      <QueryResult query={query}>
        {({ checkCode }) => (
          <Flex vertical align="center" gap="small" className="duty-print">
            {/* Dark squares on white in both themes, as scanners and printers need it. */}
            <QRCode
              value={checkInAddress(checkCode)}
              size={SIZE}
              type="svg"
              bordered={false}
              color="#000000"
              bgColor="#ffffff"
            />
            <Typography.Title level={4} style={{ margin: 0 }}>
              {post.name}
            </Typography.Title>
            <span>{post.ownerName}</span>
            <Typography.Text type="secondary">{t('duty.printCodeHelp')}</Typography.Text>
          </Flex>
        )}
      </QueryResult>
    </AppModal>
  )
}
